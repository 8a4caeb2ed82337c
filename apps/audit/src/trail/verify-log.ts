/** Recomputes a whole log from its stored bytes. Guarantees that the first thing wrong is named by index; it must never take a column, a stored hash or a stored subtree at its word. */
import type { Principal } from '@bravo/chassis';
import { originOf, readCheckpoint } from '../checkpoints/checkpoint.ts';
import type { Checkpoints, StoredCheckpoint } from '../checkpoints/checkpoints.port.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import { appendLeaf, EMPTY_LOG, type MerkleState, rootOf } from '../merkle/merkle-tree.ts';
import type { Entries, SequenceGap, StoredEntry } from './entries.port.ts';
import { type LeafColumns, leafOf, NotAnEventError } from './leaf.ts';
import { requirePerson } from './require-person.ts';

export interface Verification {
  readonly ok: boolean;
  /** Entries the log has taken. */
  readonly size: number;
  readonly checkpoint: StoredCheckpoint | undefined;
  /** -1 when ok. Where only a checkpoint disagrees: the first entry that no earlier, agreeing checkpoint covers. */
  readonly firstBadIndex: number;
  /** Empty when ok. */
  readonly problem: string;
  /** Missing producer numbers, one sentence each. They do not make a log wrong, they say that something never came. */
  readonly gaps: readonly string[];
  readonly verifierKey: string;
}

export type VerifyLog = (principal: Principal) => Promise<Verification>;

export interface VerifyLogPorts {
  readonly entries: Entries;
  readonly checkpoints: Checkpoints;
  readonly signer: NoteSigner;
}

const BATCH = 1_000;

interface Wrong {
  readonly index: number;
  readonly problem: string;
}

/** Every member of the workspace may: what comes of it tells how long the log is and whether it holds, and nothing that was recorded. */
export const createVerifyLog = (ports: VerifyLogPorts): VerifyLog => {
  // Recomputing is work for a person to wait for, not for many to cause: who asks meanwhile shares what comes of it.
  const running = new Map<string, Promise<Verification>>();
  return async (principal) => {
    requirePerson(principal);
    const { workspaceId } = principal;
    const verification =
      running.get(workspaceId) ?? verify(ports, workspaceId).finally(() => running.delete(workspaceId));
    running.set(workspaceId, verification);
    return verification;
  };
};

const verify = async ({ entries, checkpoints, signer }: VerifyLogPorts, workspaceId: string): Promise<Verification> => {
  // In this order: a checkpoint never covers more than the size that is read after it.
  const signed = await checkpoints.all(workspaceId);
  const size = await entries.size(workspaceId);
  const wrong = await findWrong({ workspaceId, entries, signer, signed, size });
  const gaps = await entries.gaps(workspaceId);
  return {
    ok: wrong === undefined,
    size,
    checkpoint: signed.at(-1),
    firstBadIndex: wrong?.index ?? -1,
    problem: wrong?.problem ?? '',
    gaps: gaps.map(toSentence),
    verifierKey: signer.verifierKey(originOf(workspaceId)),
  };
};

interface Work {
  readonly workspaceId: string;
  readonly entries: Entries;
  readonly signer: NoteSigner;
  readonly signed: readonly StoredCheckpoint[];
  readonly size: number;
}

const findWrong = async ({ workspaceId, entries, signer, signed, size }: Work): Promise<Wrong | undefined> => {
  const end = Math.max(size, signed.at(-1)?.size ?? 0);
  let state = EMPTY_LOG;
  let agreed = 0;
  let next = 0;
  while (state.size < end) {
    const page = { order: 'asc', limit: Math.min(BATCH, end - state.size), after: state.size - 1 } as const;
    const batch = await entries.list(workspaceId, {}, page);
    for (const entry of batch) {
      const wrong = entry.index === state.size ? findWrongEntry(workspaceId, entry) : missing(state.size);
      if (wrong) return wrong;
      // findWrongEntry hashed the bytes again and found this very hash.
      state = appendLeaf(state, entry.hash);
      for (; signed[next]?.size === state.size; next += 1) {
        const problem = findWrongCheckpoint(workspaceId, signer, signed[next] as StoredCheckpoint, state);
        if (problem) return { index: agreed, problem };
        agreed = state.size;
      }
    }
    if (batch.length === 0) return missing(state.size);
  }
  const [beyond] = await entries.list(workspaceId, {}, { order: 'asc', limit: 1, after: end - 1 });
  // A row past the size that was read may be a new one; one past the size that holds now is not.
  if (beyond && beyond.index >= (await entries.size(workspaceId))) {
    return { index: beyond.index, problem: `Entry ${beyond.index} was put in past the end of the log.` };
  }
  return undefined;
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
] as const satisfies readonly (keyof LeafColumns)[];

const findWrongEntry = (workspaceId: string, entry: StoredEntry): Wrong | undefined => {
  const { index } = entry;
  const at = (problem: string): Wrong => ({ index, problem });
  try {
    const leaf = leafOf(Buffer.from(entry.bytes).toString('utf8'));
    if (Buffer.compare(leaf.bytes, entry.bytes) !== 0)
      return at(`Entry ${index} is not stored in its canonical spelling.`);
    if (Buffer.compare(leaf.hash, entry.hash) !== 0)
      return at(`Entry ${index} does not have the hash it was recorded with.`);
    if (leaf.workspaceId !== workspaceId) return at(`Entry ${index} belongs to another workspace.`);
    const column = COLUMNS.find((name) => leaf[name] !== entry[name]);
    if (column) return at(`The column ${column} of entry ${index} does not say what was recorded.`);
    if (leaf.time.getTime() !== entry.time.getTime())
      return at(`The time of entry ${index} does not say what was recorded.`);
    return undefined;
  } catch (error) {
    if (error instanceof NotAnEventError) return at(`Entry ${index} cannot be read as an event.`);
    throw error;
  }
};

const findWrongCheckpoint = (
  workspaceId: string,
  signer: NoteSigner,
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

const toSentence = ({ producer, first, last }: SequenceGap): string =>
  first === last
    ? `Event ${first} of ${producer} never came.`
    : `Events ${first} to ${last} of ${producer} never came.`;
