/** Signs the newest state of one log. Guarantees that each checkpoint extends the one before; over a log that was tampered with since, it must never sign. */
import {
  EMPTY_LOG,
  hashLeaf,
  type MerkleState,
  rootOf,
  TreeBuilder,
  type TreeNode,
  unpackPeaks,
} from '../merkle/merkle-tree.ts';
import type { Entries } from '../trail/entries.port.ts';
import { originOf, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import type { Checkpoints, StoredCheckpoint } from './checkpoints.port.ts';
import type { NoteSigner } from './signed-note.ts';

/** What was signed; undefined when everything was covered already. */
export type SignCheckpoint = (workspaceId: string) => Promise<StoredCheckpoint | undefined>;

export interface SignCheckpointPorts {
  readonly entries: Pick<Entries, 'size' | 'scan'>;
  readonly checkpoints: Checkpoints;
  readonly signer: NoteSigner;
}

/** Does nothing when everything is covered by the current key. @throws Error when the log is not what was signed before, or has a hole. */
export const createSignCheckpoint =
  ({ entries, checkpoints, signer }: SignCheckpointPorts): SignCheckpoint =>
  async (workspaceId) => {
    const origin = originOf(workspaceId);
    const size = await entries.size(workspaceId);
    const latest = await checkpoints.latest(workspaceId);
    const before = latest ? signedState(signer, origin, latest) : EMPTY_LOG;
    const builder = new TreeBuilder(before);
    const nodes: TreeNode[] = [];
    const missing = (): Error => new Error(`entry ${builder.size} is missing from ${origin}; nothing is signed`);
    if (builder.size < size) {
      for await (const batch of entries.scan(workspaceId, builder.size, size)) {
        for (const { index, bytes, hash } of batch) {
          if (index !== builder.size) throw missing();
          if (!hashLeaf(bytes).equals(hash))
            throw new Error(`entry ${index} of ${origin} was changed; nothing is signed`);
          builder.append(hash, (node) => nodes.push(node));
        }
      }
      if (builder.size < size) throw missing();
    }
    if (builder.size === 0) return undefined;
    // A size that only an earlier key signed is signed again, so that nobody who has that key can end the log there.
    if (latest && builder.size === before.size && signer.isCurrent(origin, latest.note)) return undefined;
    const note = signer.sign(origin, writeCheckpoint({ origin, size: builder.size, root: rootOf(builder) }));
    await checkpoints.add({ workspaceId, keyId: signer.fingerprint, note, state: builder, nodes });
    return checkpoints.latest(workspaceId);
  };

/** @throws Error when the stored checkpoint is not what one of our keys signed. */
export const signedState = (signer: NoteSigner, origin: string, checkpoint: StoredCheckpoint): MerkleState => {
  const text = signer.open(origin, checkpoint.note);
  if (text === undefined) {
    throw new Error(
      `the last checkpoint of ${origin} is not signed with this key; bring the old key back, nothing is signed`,
    );
  }
  const body = readCheckpoint(text);
  const state = unpackPeaks(checkpoint.size, checkpoint.peaks);
  if (body?.origin !== origin || body.size !== state.size || !rootOf(state).equals(body.root)) {
    throw new Error(`the last checkpoint of ${origin} is not what was signed; nothing is signed`);
  }
  return state;
};
