/** A place outside the log's own tables where checkpoints are kept: what lies there can be held against a log that was cut or rebuilt. */
import type { StoredCheckpoint } from './checkpoints.port.ts';

export interface PublishedCheckpoint extends Pick<StoredCheckpoint, 'size' | 'note'> {
  readonly workspaceId: string;
}

/** POSTs a text and gives back the answer, whatever its status; no redirect is followed. @throws where there was none. */
export type PostText = (url: string, text: string) => Promise<{ readonly status: number; readonly text: string }>;

export interface CheckpointSink {
  /** Stays the same over restarts: what it has taken is remembered under it. Printable, short. */
  readonly name: string;
  /** What brings a checkpoint there is itself told in this log: it is brought there seldom, else each would be the reason of the next. */
  readonly echoesIn?: string;
  /**
   * Resolves once the place holds it, with what it answered (a witness: its signature lines). May be asked twice for the same one.
   * `before` is the size it took last, 0 when none. @throws when it was not taken; it is asked again later.
   */
  publish(checkpoint: PublishedCheckpoint, before: number): Promise<string>;
}

/** What the places have taken. Nothing here can change or remove a row. */
export interface Deliveries {
  /** The newest checkpoint of each log of which the place has not taken any as new. */
  pending(sink: string): Promise<readonly (PublishedCheckpoint & { readonly before: number })[]>;
  add(sink: string, checkpoint: PublishedCheckpoint, answer: string): Promise<void>;
  /** What witnesses answered to the checkpoint of that size: signature lines. */
  answers(workspaceId: string, size: number): Promise<readonly string[]>;
}
