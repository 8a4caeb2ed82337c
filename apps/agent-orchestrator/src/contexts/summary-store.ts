/** What stands in the place of older turns when a fresh pod is told of a conversation. The messages themselves are kept elsewhere and never touched. */
import type { Owner } from '../conversations/conversation.ts';

export interface Summary {
  /** The last turn it tells of. */
  readonly throughSeq: bigint;
  /** Messages it stands for, and of these the ones it does not tell of. */
  readonly messages: number;
  readonly leftOut: number;
  readonly text: string;
  readonly tokens: number;
  readonly model: string;
}

export interface SummaryStore {
  latest(conversationId: string): Promise<Summary | undefined>;
  /** With the event that tells of it. `when`: a fresh pod was to be told, or the person asked. */
  put(
    owner: Owner,
    conversationId: string,
    summary: Summary,
    when: 'import' | 'asked',
    tokensBefore: number,
  ): Promise<void>;
}
