/** Hands the open conversation to whatever is drawn inside it. */
import { createContext, useContext } from 'react';
import type { OpenConversation } from './use-conversation.ts';

export const ConversationContext = createContext<OpenConversation | null>(null);
export const ConversationProvider = ConversationContext.Provider;

export function useOpenConversation(): OpenConversation {
  const open = useContext(ConversationContext);
  if (!open) throw new Error('useOpenConversation is used outside an open conversation.');
  return open;
}
