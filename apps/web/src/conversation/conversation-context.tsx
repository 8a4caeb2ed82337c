/** Hands the open conversation to whatever is drawn inside it. */
import { createContext, useContext } from 'react';
import type { OpenConversation } from './use-conversation.ts';

const Context = createContext<OpenConversation | null>(null);
export const ConversationProvider = Context.Provider;

export function useOpenConversation(): OpenConversation {
  const open = useContext(Context);
  if (!open) throw new Error('useOpenConversation is used outside an open conversation.');
  return open;
}
