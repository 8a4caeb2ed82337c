/** What is kept of conversations. Every change is one transaction with the event that tells of it. */
import type { Conversation, Message, Mode, Owner } from './conversation.ts';
import type { Page } from './page-cursor.ts';

export interface NewConversation extends Owner {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly mode: Mode;
  readonly policyVersion: string;
  readonly attended: boolean;
}

export interface SaidInTurn extends Message {
  /** The order of the turns: a message that waited was recorded before the answer it came after. */
  readonly turnSeq: bigint;
}

export interface ConversationStore {
  create(conversation: NewConversation): Promise<Conversation>;
  /** `undefined` also for one of somebody else. */
  find(id: string, owner: Owner): Promise<Conversation | undefined>;
  /** Newest first, up to one more than the page's limit. */
  list(owner: Owner, page: Page): Promise<Conversation[]>;
  setMode(id: string, from: Mode, mode: Mode, owner: Owner): Promise<void>;
  /** Ends it and asks its running turn to stop. Idempotent. */
  end(id: string, owner: Owner): Promise<void>;
  /** Ended ones whose tokens and slots are not gone yet. */
  unerased(limit: number): Promise<Conversation[]>;
  /** Ended delegates below one, deepest first. */
  unerasedBelow(rootId: string): Promise<Conversation[]>;
  markErased(id: string): Promise<void>;
  /** Lets an agent of the person's own sit in the pod's place, and tells of its token. */
  attach(id: string, owner: Owner, token: { readonly tokenId: string; readonly expiresAt: Date }): Promise<void>;
  /** Newest first, up to one more than the page's limit. */
  messages(conversationId: string, page: Page): Promise<Message[]>;
  message(id: string): Promise<Message | undefined>;
  /**
   * What was said in the turns before a turn and after another one: the newest that are no larger together (at least one), oldest
   * first, in the order of the turns, and how many there are in all. Empty ones are none.
   */
  before(
    conversationId: string,
    turnId: string,
    bounds: { readonly after: bigint; readonly maxBytes: number },
  ): Promise<{ readonly messages: readonly SaidInTurn[]; readonly total: number }>;
}
