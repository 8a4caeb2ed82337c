/** Where the person answers from: the open conversation, or the list of everything that waits. */
import { createContext, useContext } from 'react';
import { ConversationContext } from '../conversation/conversation-context.tsx';
import type { OpenConversation } from '../conversation/use-conversation.ts';

export type Answering = Pick<OpenConversation, 'workspace' | 'id' | 'answer'>;

const Context = createContext<Answering | null>(null);
export const AnsweringProvider = Context.Provider;

export function useAnswering(): Answering {
  const outside = useContext(Context);
  const open = useContext(ConversationContext);
  const answering = outside ?? open;
  if (!answering) throw new Error('There is no question to be answered here.');
  return answering;
}
