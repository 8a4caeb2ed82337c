/** What the gateway asks of the agent-orchestrator, in the API's own words; every call is made for a person. */
import type { CallSubject } from '../callers/caller.ts';
import type { MessageView } from '../messages/message-view.ts';
import type { DelegateView } from '../delegates/delegate-routes.ts';
import type { ConversationDetail, ConversationView } from './conversation-routes.ts';

export interface Page {
  /** Undefined: the service's own default. */
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

export interface AcceptedTurn {
  readonly turnId: string;
  /** Position of the turn stream before anything of this turn. */
  readonly position: number;
  /** True when the idempotency key was known: the turn may have ended long ago. */
  readonly replayed: boolean;
}

export interface TurnState {
  /** queued, running, completed, failed, cancelled or interrupted. */
  readonly status: string;
  readonly userMessage: MessageView | undefined;
  readonly assistantMessage: MessageView | undefined;
}

export interface NewMessage {
  readonly conversationId: string;
  readonly content: string;
  /** Empty: the client gave none. */
  readonly idempotencyKey: string;
  /** JSON text, empty when the client gave none. */
  readonly context: string;
}

export interface DayContainerUsage {
  readonly day: string;
  readonly userId: string;
  readonly containerSeconds: number;
}

export interface Orchestrator {
  createConversation(
    subject: CallSubject,
    fields: { projectId: string; title: string; mode: string; attended: boolean },
  ): Promise<ConversationView>;
  listConversations(
    subject: CallSubject,
    page: Page,
    userId: string,
  ): Promise<{ conversations: ConversationView[]; nextCursor: string }>;
  getConversation(
    subject: CallSubject,
    conversationId: string,
  ): Promise<Pick<ConversationDetail, 'conversation' | 'messages'> & { readonly position: number }>;
  endConversation(subject: CallSubject, conversationId: string): Promise<void>;
  runTurn(subject: CallSubject, message: NewMessage): Promise<AcceptedTurn>;
  getTurn(subject: CallSubject, conversationId: string, turnId: string): Promise<TurnState>;
  listMessages(
    subject: CallSubject,
    conversationId: string,
    page: Page,
  ): Promise<{ messages: MessageView[]; nextCursor: string }>;
  cancelTurn(subject: CallSubject, conversationId: string): Promise<boolean>;
  setMode(subject: CallSubject, conversationId: string, mode: string): Promise<ConversationView>;
  listDelegates(subject: CallSubject, conversationId: string): Promise<DelegateView[]>;
  listContainerUsage(subject: CallSubject, from: Date, to: Date): Promise<DayContainerUsage[]>;
}
