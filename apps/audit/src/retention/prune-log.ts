/** Prunes one log up to where policy, holds and places outside allow. Guarantees that what goes was verified first and that a signed stub stands for it; a log that is not what was signed is evidence and must never be pruned. */
import { originOf } from '../checkpoints/checkpoint.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.port.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import { signedState } from '../checkpoints/sign-checkpoint.ts';
import {
  EMPTY_LOG,
  HASH_BYTES,
  hashLeaf,
  NODE_HEIGHT,
  packPeaks,
  rootOf,
  TreeBuilder,
  type TreeNode,
} from '../merkle/merkle-tree.ts';
import type { Entries } from '../trail/entries.port.ts';
import type { Pruner, Retention } from './retention.port.ts';
import { openStub, writeStub } from './stub.ts';

export interface PruneLogPorts {
  readonly entries: Pick<Entries, 'scan'>;
  readonly checkpoints: Pick<Checkpoints, 'all' | 'nodes' | 'addNodes'>;
  readonly signer: NoteSigner;
  readonly retention: Pick<Retention, 'stub' | 'pruneTo'>;
  readonly pruner: Pruner;
  /** Names of the places that keep checkpoints: what one of them does not cover stays. */
  readonly sinks: readonly string[];
}

/** @returns entries that went. @throws Error ending with "nothing is pruned" where the log is not what was signed. */
export type PruneLog = (workspaceId: string, keepSeconds: number) => Promise<number>;

const BLOCK = 2 ** NODE_HEIGHT;

export const createPruneLog = (ports: PruneLogPorts): PruneLog => {
  const { entries, checkpoints, signer, retention, pruner, sinks } = ports;
  return async (workspaceId, keepSeconds) => {
    const stub = await retention.stub(workspaceId);
    const from = stub ? openStub(signer, workspaceId, stub) : EMPTY_LOG;
    const { size, before } = await retention.pruneTo(workspaceId, keepSeconds, sinks);
    if (size <= from.size) return 0;
    const signed = (await checkpoints.all(workspaceId)).find((checkpoint) => checkpoint.size === size);
    if (!signed) return 0;

    const builder = new TreeBuilder(from);
    const nodes: TreeNode[] = [];
    const blockFrom = size - (size % BLOCK);
    // Hashes before the stub of the same block were kept with it.
    const hashes = [
      ...(await checkpoints.nodes(
        workspaceId,
        0,
        Math.min(blockFrom, size),
        Math.max(blockFrom, Math.min(from.size, size)),
      )),
    ];
    for await (const batch of entries.scan(workspaceId, from.size, size))
      for (const { index, bytes, hash } of batch) {
        if (index !== builder.size || !hashLeaf(bytes).equals(hash))
          throw new Error(
            `Entry ${builder.size} of ${originOf(workspaceId)} is not what was recorded; nothing is pruned`,
          );
        builder.append(hash, (node) => nodes.push(node));
        if (index >= blockFrom) hashes.push(hash);
      }
    const root = rootOf(signedState(signer, originOf(workspaceId), signed));
    if (builder.size !== size || !rootOf(builder).equals(root))
      throw new Error(
        `The first ${size} entries of ${originOf(workspaceId)} are not the ones that were signed; nothing is pruned`,
      );
    // Proofs of what stays are made from these; usually they are there since the checkpoint.
    await checkpoints.addNodes(workspaceId, nodes);
    return pruner.prune(
      workspaceId,
      {
        size,
        note: signer.sign(originOf(workspaceId), writeStub(workspaceId, builder, before)),
        peaks: packPeaks(builder),
        leafHashes: Buffer.concat(hashes, hashes.length * HASH_BYTES),
      },
      { first: from.size, before },
    );
  };
};
