/** What waits for the person, by its kind: a call to be allowed, or questions to be answered. */
import type { UiQuestion, UiToolCall } from '../conversation/conversation-state.ts';
import { AskCard } from './ask-card.tsx';
import { QuestionCard } from './question-card.tsx';

export function OpenQuestion(props: { call: UiToolCall; question: UiQuestion }) {
  // Known before anything is drawn: a card of the other kind never stands there for a moment.
  return props.call.tool === 'ask_user' ? <AskCard {...props} /> : <QuestionCard {...props} />;
}
