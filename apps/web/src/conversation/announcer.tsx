/** Speaks to screen readers what sighted people see happen: questions at once, finished answers as a whole, never single words of a stream. */
import { useEffect, useRef, useState } from 'react';
import { callTitle } from '../messages/describe-call.ts';
import { useOpenConversation } from './conversation-context.tsx';
import { openQuestions, plainText } from './conversation-state.ts';

export function Announcer() {
  const { state, loaded } = useOpenConversation();
  const [polite, setPolite] = useState('');
  const questions = openQuestions(state);
  const question = questions.at(-1);
  const streaming = state.messages.findLast((m) => m.role === 'assistant' && m.status === 'streaming')?.id ?? '';
  const spokenFor = useRef('');

  useEffect(() => {
    if (!loaded) return;
    if (streaming !== '') {
      spokenFor.current = streaming;
      setPolite('@bravo is answering.');
      return;
    }
    const finished =
      state.messages.find((m) => m.id === spokenFor.current) ??
      (spokenFor.current === '' ? undefined : state.messages.findLast((m) => m.role === 'assistant'));
    if (!finished) return;
    spokenFor.current = '';
    setPolite(
      finished.status === 'complete'
        ? `@bravo: ${plainText(finished)}`
        : `The answer of @bravo ended: ${finished.status}.`,
    );
  }, [streaming, loaded, state.messages]);

  return (
    <div className="sr-only">
      <div aria-live="polite">{polite}</div>
      <div aria-live="assertive">{question ? `@bravo needs your answer: ${callTitle(question.tool)}.` : ''}</div>
    </div>
  );
}
