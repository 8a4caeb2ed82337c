/** The append-only log as the use cases see it. Nothing here can change or remove an entry. */
import type { Leaf, LeafColumns } from './leaf.ts';

export interface StoredEntry extends Leaf {
  /** Position in the workspace's log, from 0. */
  readonly index: number;
  readonly recordedAt: Date;
}

export type Appended =
  | { readonly kind: 'appended'; readonly index: number }
  /** The event id is in a log already; `same` when under the same bytes. */
  | { readonly kind: 'known'; readonly same: boolean };

export interface EntryFilter {
  readonly conversationId?: string;
  readonly actor?: string;
  readonly onBehalfOf?: string;
  readonly type?: string;
  readonly tool?: string;
  readonly toolCallId?: string;
  /** allow, ask or deny. */
  readonly decision?: string;
  readonly rule?: string;
  /** An id that the event's data name: an approval, a grant, a slot's call, a token, a pod … */
  readonly resource?: string;
  /** Any words of the recorded event, exactly as they stand there. */
  readonly text?: string;
  /** Time of the event, inclusive. */
  readonly from?: Date;
  /** Time of the event, exclusive. */
  readonly to?: Date;
}

export interface EntryPage {
  readonly order: 'asc' | 'desc';
  /** Entries after this index in that order; absent for the first page. */
  readonly after?: number;
  readonly limit: number;
}

/** What verifying needs of an entry: nothing that a column says. */
export interface ScannedEntry {
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

export interface RejectedMessage {
  readonly streamSequence: number;
  readonly subject: string;
  readonly bodyDigest: string;
  readonly body: string;
  readonly reason: string;
}

export interface SequenceGap {
  readonly producer: string;
  readonly first: number;
  readonly last: number;
}

export interface Entries {
  /** In one transaction, one writer per workspace at a time; the same event id is appended once. In the order given, an answer for each. */
  append(leaves: readonly Leaf[]): Promise<readonly Appended[]>;
  /** Keeps a note of a message no log could take. Idempotent per message. */
  reject(message: RejectedMessage): Promise<void>;
  list(workspaceId: string, filter: EntryFilter, page: EntryPage): Promise<readonly StoredEntry[]>;
  /** In order, in batches of some megabytes; `to` exclusive; the first batch has at most `firstRows`. A hole is not filled and not told. */
  scan(workspaceId: string, from: number, to: number, firstRows?: number): AsyncIterable<readonly ScannedEntry[]>;
  /** The oldest entry of a conversation, which tells whose it is. */
  firstOf(workspaceId: string, conversationId: string): Promise<LeafColumns | undefined>;
  /** Entries the log has taken, whether or not all of their rows are still there. */
  size(workspaceId: string): Promise<number>;
  /** At most 100 holes in the numbers of the producers that speak in this log, over all logs: a lost event names no log. */
  gaps(workspaceId: string): Promise<readonly SequenceGap[]>;
  /** At most 100, of any producer. */
  allGaps(): Promise<readonly SequenceGap[]>;
}
