/** What pruning leaves of the beginning of a log: a signed note that says how many entries went, what they hashed to and how old they were. A checkpoint must never pass for one. */
import { originOf, readCheckpoint, writeCheckpoint } from '../checkpoints/checkpoint.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import { type MerkleState, rootOf, unpackPeaks } from '../merkle/merkle-tree.ts';

export interface StoredStub {
  readonly size: number;
  /** C2SP signed note: a checkpoint body with one extension line. */
  readonly note: string;
  readonly peaks: Uint8Array;
}

/** `before`: every entry that went was recorded earlier. */
export const writeStub = (workspaceId: string, state: MerkleState, before: Date): string =>
  `${writeCheckpoint({ origin: originOf(workspaceId), size: state.size, root: rootOf(state) })}pruned before ${before.toISOString()}\n`;

const EXTENSION = /^pruned before \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n$/;

/** Where the rest is verified from. @throws Error in one sentence, when the stub is not what one of our keys signed as a stub. */
export const openStub = (signer: NoteSigner, workspaceId: string, stub: StoredStub): MerkleState => {
  const origin = originOf(workspaceId);
  const text = signer.open(origin, stub.note);
  if (text === undefined) throw new Error(`The stub of the first ${stub.size} entries is not signed by this log.`);
  const end = text.split('\n', 3).join('\n').length + 1;
  if (!EXTENSION.test(text.slice(end)))
    throw new Error(`The stub of the first ${stub.size} entries is a checkpoint: nobody signed that they were pruned.`);
  const body = readCheckpoint(text.slice(0, end));
  const state = peaksOf(stub);
  if (body?.origin !== origin || body.size !== stub.size || state === undefined || !rootOf(state).equals(body.root))
    throw new Error(`The stub of the first ${stub.size} entries is not what was signed.`);
  return state;
};

const peaksOf = ({ size, peaks }: StoredStub): MerkleState | undefined => {
  try {
    return unpackPeaks(size, peaks);
  } catch {
    return undefined;
  }
};
