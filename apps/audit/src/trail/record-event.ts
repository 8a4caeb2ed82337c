/** Takes one message from the stream into its workspace's log. Guarantees once per event id, and that what no log can take leaves a note; it must never lose a message quietly. */
import { createHash } from 'node:crypto';
import type { Entries } from './entries.port.ts';
import { leafOf, NotAnEventError, type Leaf } from './leaf.ts';

export interface StreamMessage {
  readonly subject: string;
  readonly body: string;
  readonly sequence: number;
}

export type Outcome =
  | { readonly kind: 'recorded'; readonly workspaceId: string; readonly index: number }
  | { readonly kind: 'known' }
  | { readonly kind: 'rejected'; readonly reason: string };

export type RecordEvent = (message: StreamMessage) => Promise<Outcome>;

/** Rejects only where trying again can help: the database could not be written. */
export const createRecordEvent =
  (entries: Entries): RecordEvent =>
  async (message) => {
    let leaf: Leaf;
    try {
      leaf = readMessage(message);
    } catch (error) {
      if (error instanceof NotAnEventError) return reject(entries, message, error.message);
      throw error;
    }
    const appended = await entries.append(leaf);
    if (appended.kind === 'appended') return { kind: 'recorded', workspaceId: leaf.workspaceId, index: appended.index };
    if (appended.same) return { kind: 'known' };
    return reject(entries, message, 'Another event was recorded under its id before.');
  };

/** Subjects are what the bus lets a producer publish, so an event that says another type or workspace is not believed. */
const readMessage = ({ subject, body }: StreamMessage): Leaf => {
  const leaf = leafOf(body);
  if (subject !== `${leaf.type}.${leaf.workspaceId}`)
    throw new NotAnEventError('Its subject names another type or workspace.');
  return leaf;
};

const reject = async (entries: Entries, message: StreamMessage, reason: string): Promise<Outcome> => {
  const bodyDigest = createHash('sha256').update(message.body).digest('hex');
  await entries.reject({ streamSequence: message.sequence, subject: printable(message.subject), bodyDigest, reason });
  return { kind: 'rejected', reason };
};

const printable = (text: string): string => text.replace(/[\p{Cc}]/gu, '?').slice(0, 512);
