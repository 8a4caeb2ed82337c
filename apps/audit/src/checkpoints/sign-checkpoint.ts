/** Signs the newest state of one log. Guarantees that each checkpoint extends the one before; over a log that was tampered with since, it must never sign. */
import { appendLeaf, EMPTY_LOG, hashLeaf, type MerkleState, rootOf, unpackPeaks } from '../merkle/merkle-tree.ts';
import type { Entries } from '../trail/entries.port.ts';
import { originOf, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import type { Checkpoints } from './checkpoints.port.ts';
import type { NoteSigner } from './signed-note.ts';

export type SignCheckpoint = (workspaceId: string) => Promise<void>;

export interface SignCheckpointPorts {
  readonly entries: Entries;
  readonly checkpoints: Checkpoints;
  readonly signer: NoteSigner;
}

const BATCH = 1_000;

/** Does nothing when everything is covered. @throws Error when the log is not what was signed before, or has a hole. */
export const createSignCheckpoint =
  ({ entries, checkpoints, signer }: SignCheckpointPorts): SignCheckpoint =>
  async (workspaceId) => {
    const origin = originOf(workspaceId);
    const size = await entries.size(workspaceId);
    const before = await lastSigned(checkpoints, signer, workspaceId);
    let state = before;
    while (state.size < size) {
      const page = { order: 'asc', limit: Math.min(BATCH, size - state.size), after: state.size - 1 } as const;
      const batch = await entries.list(workspaceId, {}, page);
      for (const { index, bytes, hash } of batch) {
        if (index !== state.size) throw new Error(`entry ${state.size} is missing from ${origin}; nothing is signed`);
        if (!hashLeaf(bytes).equals(hash))
          throw new Error(`entry ${index} of ${origin} was changed; nothing is signed`);
        state = appendLeaf(state, hash);
      }
      if (batch.length === 0) throw new Error(`entry ${state.size} is missing from ${origin}; nothing is signed`);
    }
    if (state.size === before.size) return;
    const note = signer.sign(origin, writeCheckpoint({ origin, size: state.size, root: rootOf(state) }));
    await checkpoints.add(workspaceId, note, state);
  };

const lastSigned = async (checkpoints: Checkpoints, signer: NoteSigner, workspaceId: string): Promise<MerkleState> => {
  const latest = await checkpoints.latest(workspaceId);
  if (!latest) return EMPTY_LOG;
  const origin = originOf(workspaceId);
  const text = signer.open(origin, latest.note);
  if (text === undefined) {
    throw new Error(
      `the last checkpoint of ${origin} is not signed with this key; bring the old key back, nothing is signed`,
    );
  }
  const body = readCheckpoint(text);
  const state = unpackPeaks(latest.size, latest.peaks);
  if (body?.origin !== origin || body.size !== state.size || !rootOf(state).equals(body.root)) {
    throw new Error(`the last checkpoint of ${origin} is not what was signed; nothing is signed`);
  }
  return state;
};
