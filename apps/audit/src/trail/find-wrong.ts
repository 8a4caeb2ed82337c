/** Recomputes a log from its stored bytes. Guarantees that the first thing wrong is named by index; it must never take a column, a stored hash or a stored subtree at its word. */
import { originOf, readCheckpoint } from '../checkpoints/checkpoint.ts';
import type { StoredCheckpoint } from '../checkpoints/checkpoints.port.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import { hashLeaf, type MerkleState, rootOf, TreeBuilder } from '../merkle/merkle-tree.ts';
import { watchHolds } from '../retention/watch-holds.ts';
import type { Entries, ScannedEntry, StoredEntry } from './entries.port.ts';
import { type LeafColumns, leafOf, NotAnEventError } from './leaf.ts';

export interface Wrong {
  readonly index: number;
  readonly problem: string;
}

export interface Recomputation {
  readonly workspaceId: string;
  readonly entries: Entries;
  readonly signer: NoteSigner;
  /** From the smallest. */
  readonly signed: readonly StoredCheckpoint[];
  readonly size: number;
  /** Where what is kept begins: an empty log, or the signed state that pruning left. */
  readonly from: MerkleState;
  /** Each event is read again, too, and the columns beside it compared with what it says. */
  readonly deep: boolean;
  /** Told now and then how many entries were found right. */
  readonly onProgress?: (checked: number) => void;
}

const DEEP_BATCH = 1_000;

export const findWrong = async (work: Recomputation): Promise<Wrong | undefined> => {
  const { workspaceId, entries, signed, size, from } = work;
  const end = Math.max(size, signed.at(-1)?.size ?? 0);
  const builder = new TreeBuilder(from);
  const pending = signed.filter((checkpoint) => checkpoint.size >= from.size);
  let agreed = from.size;
  const holds = watchHolds();
  const atCheckpoint = (): Wrong | undefined => {
    while (pending[0]?.size === builder.size) {
      const problem = findWrongCheckpoint(work, pending.shift() as StoredCheckpoint, builder);
      if (problem) return { index: agreed, problem };
      agreed = builder.size;
    }
    return undefined;
  };
  const early = builder.size > 0 ? atCheckpoint() : undefined;
  if (early) return early;
  for await (const batch of batchesOf(work, end)) {
    for (const entry of batch) {
      const wrong = entry.index === builder.size ? findWrongEntry(work, entry) : missing(builder.size);
      if (wrong) return wrong;
      builder.append(entry.hash);
      const ignored = holds.take(entry.bytes);
      if (ignored) return { index: entry.index, problem: ignored };
      const disagrees = pending[0]?.size === builder.size ? atCheckpoint() : undefined;
      if (disagrees) return disagrees;
    }
    work.onProgress?.(builder.size - from.size);
  }
  if (builder.size < end) return missing(builder.size);
  const held = holds.end(from.size);
  if (held) return { index: from.size, problem: held };
  return (await findBeyond(workspaceId, entries, end)) ?? findRetired(work, agreed);
};

const batchesOf = (
  { workspaceId, entries, from, deep }: Recomputation,
  end: number,
): AsyncIterable<readonly ScannedEntry[]> =>
  deep ? wholeRows(entries, workspaceId, from.size, end) : entries.scan(workspaceId, from.size, end);

async function* wholeRows(
  entries: Entries,
  workspaceId: string,
  from: number,
  end: number,
): AsyncIterable<readonly StoredEntry[]> {
  let after = from - 1;
  while (after < end - 1) {
    const batch = await entries.list(
      workspaceId,
      {},
      { order: 'asc', limit: Math.min(DEEP_BATCH, end - 1 - after), after },
    );
    if (batch.length === 0) return;
    yield batch;
    after = (batch.at(-1) as StoredEntry).index;
  }
}

const findBeyond = async (workspaceId: string, entries: Entries, end: number): Promise<Wrong | undefined> => {
  const [beyond] = await entries.list(workspaceId, {}, { order: 'asc', limit: 1, after: end - 1 });
  // A row past the size that was read may be a new one; one past the size that holds now is not.
  if (!beyond || beyond.index < (await entries.size(workspaceId))) return undefined;
  return { index: beyond.index, problem: `Entry ${beyond.index} was put in past the end of the log.` };
};

/** Somebody with an old key could end the log wherever they like, or build another: what it is now, the current key says. */
const findRetired = ({ workspaceId, signer, signed }: Recomputation, agreed: number): Wrong | undefined => {
  const newest = signed.at(-1);
  const sameSize = signed.filter((checkpoint) => checkpoint.size === newest?.size);
  if (!newest || sameSize.some(({ note }) => signer.isCurrent(originOf(workspaceId), note))) return undefined;
  return {
    index: agreed,
    problem: `The newest checkpoint, of ${newest.size} entries, is signed with a retired key alone.`,
  };
};

const missing = (index: number): Wrong => ({ index, problem: `Entry ${index} is missing.` });

const COLUMNS = [
  'workspaceId',
  'eventId',
  'type',
  'actor',
  'onBehalfOf',
  'conversationId',
  'producer',
  'producerSequence',
  'tool',
  'toolCallId',
  'decision',
  'rule',
] as const satisfies readonly (keyof LeafColumns)[];

const findWrongEntry = ({ workspaceId, deep }: Recomputation, entry: ScannedEntry): Wrong | undefined => {
  const { index } = entry;
  const at = (problem: string): Wrong => ({ index, problem });
  if (!hashLeaf(entry.bytes).equals(entry.hash))
    return at(`Entry ${index} does not have the hash it was recorded with.`);
  if (!deep) return undefined;
  try {
    const leaf = leafOf(Buffer.from(entry.bytes).toString('utf8'));
    if (Buffer.compare(leaf.bytes, entry.bytes) !== 0)
      return at(`Entry ${index} is not stored in its canonical spelling.`);
    if (leaf.workspaceId !== workspaceId) return at(`Entry ${index} belongs to another workspace.`);
    const row = entry as StoredEntry;
    const column = COLUMNS.find((name) => leaf[name] !== row[name]);
    if (column) return at(`The column ${column} of entry ${index} does not say what was recorded.`);
    if (leaf.time.getTime() !== row.time.getTime())
      return at(`The time of entry ${index} does not say what was recorded.`);
    return undefined;
  } catch (error) {
    if (error instanceof NotAnEventError) return at(`Entry ${index} cannot be read as an event.`);
    throw error;
  }
};

const findWrongCheckpoint = (
  { workspaceId, signer }: Recomputation,
  checkpoint: StoredCheckpoint,
  state: MerkleState,
): string | undefined => {
  const origin = originOf(workspaceId);
  const text = signer.open(origin, checkpoint.note);
  if (text === undefined) return `The signature of the checkpoint at ${checkpoint.size} entries does not hold.`;
  const body = readCheckpoint(text);
  if (body?.origin !== origin || body.size !== checkpoint.size) {
    return `The checkpoint stored at ${checkpoint.size} entries is one of another log or size.`;
  }
  if (!rootOf(state).equals(body.root)) {
    return `The first ${checkpoint.size} entries are not the ones that were signed.`;
  }
  return undefined;
};
