/** Takes messages from the stream into their workspaces' logs. Guarantees once per event id, and that what no log can take leaves a note; it must never lose a message quietly. */
import { createHash } from 'node:crypto';
import type { Appended, Entries } from './entries.port.ts';
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

/** In the order given, an outcome for each. */
export type RecordEvents = (messages: readonly StreamMessage[]) => Promise<readonly Outcome[]>;

/** Rejects only where trying again can help: the database could not be written. */
export const createRecordEvents =
  (entries: Pick<Entries, 'append' | 'reject'>): RecordEvents =>
  async (messages) => {
    const read = messages.map(readMessage);
    const leaves = read.filter((one) => !(one instanceof NotAnEventError)) as Leaf[];
    const appended = await appendOrPark(entries, leaves);
    const outcomes: Outcome[] = [];
    for (const [at, one] of read.entries()) {
      const message = messages[at] as StreamMessage;
      const answer = one instanceof NotAnEventError ? one : (appended.get(one) as Appended | NotAnEventError);
      if (answer instanceof NotAnEventError) outcomes.push(await reject(entries, message, answer.message));
      else if (answer.kind === 'appended')
        outcomes.push({ kind: 'recorded', workspaceId: (one as Leaf).workspaceId, index: answer.index });
      else if (answer.same) outcomes.push({ kind: 'known' });
      else outcomes.push(await reject(entries, message, 'Another event was recorded under its id before.'));
    }
    return outcomes;
  };

/**
 * One event that the database will never take must not hold up those around it: then each is tried alone, and it is parked.
 * Whatever else fails is the database's trouble, and all of them wait.
 */
const appendOrPark = async (
  entries: Pick<Entries, 'append'>,
  leaves: readonly Leaf[],
): Promise<Map<Leaf, Appended | NotAnEventError>> => {
  const answers = new Map<Leaf, Appended | NotAnEventError>();
  if (leaves.length === 0) return answers;
  try {
    const appended = await entries.append(leaves);
    leaves.forEach((leaf, at) => answers.set(leaf, appended[at] as Appended));
  } catch (error) {
    if (!isOfTheData(error)) throw error;
    if (leaves.length === 1) answers.set(leaves[0] as Leaf, new NotAnEventError('The database cannot hold it.'));
    else
      for (const leaf of leaves)
        for (const [one, answer] of await appendOrPark(entries, [leaf])) answers.set(one, answer);
  }
  return answers;
};

/** SQLSTATE class 22 (data exception), 54 (program limit) or the name of one. */
const isOfTheData = (error: unknown): boolean =>
  error instanceof Error &&
  /\b(22[0-9A-Z]{3}|54000)\b/.test(`${(error as { code?: string }).code ?? ''} ${error.message}`);

/** Subjects are what the bus lets a producer publish, so an event that says another type or workspace is not believed. */
const readMessage = ({ subject, body }: StreamMessage): Leaf | NotAnEventError => {
  try {
    const leaf = leafOf(body);
    return subject === `${leaf.type}.${leaf.workspaceId}`
      ? leaf
      : new NotAnEventError('Its subject names another type or workspace.');
  } catch (error) {
    if (error instanceof NotAnEventError) return error;
    throw error;
  }
};

const reject = async (entries: Pick<Entries, 'reject'>, message: StreamMessage, reason: string): Promise<Outcome> => {
  const bodyDigest = createHash('sha256').update(message.body).digest('hex');
  await entries.reject({
    streamSequence: message.sequence,
    subject: printable(message.subject),
    bodyDigest,
    // Postgres takes no NUL, and another message is not to be tried in its place.
    body: message.body.includes('\0') ? '' : message.body,
    reason,
  });
  return { kind: 'rejected', reason };
};

const printable = (text: string): string => text.replace(/[\p{Cc}]/gu, '?').slice(0, 512);
