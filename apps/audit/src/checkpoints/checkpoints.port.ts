/** The signed checkpoints of each log. Nothing here can change or remove one. */
import type { MerkleState, TreeNode } from '../merkle/merkle-tree.ts';

export interface StoredCheckpoint {
  readonly size: number;
  /** C2SP signed note. */
  readonly note: string;
  /** Packed subtrees; read them with `unpackPeaks`. */
  readonly peaks: Uint8Array;
}

export interface NewCheckpoint {
  readonly workspaceId: string;
  /** Fingerprint of the key that signs now: a size is signed once per key. */
  readonly keyId: string;
  readonly note: string;
  readonly state: MerkleState;
  /** Subtrees that were finished since the one before. */
  readonly nodes: readonly TreeNode[];
}

export interface Checkpoints {
  latest(workspaceId: string): Promise<StoredCheckpoint | undefined>;
  /** From the smallest to the largest log they cover. */
  all(workspaceId: string): Promise<readonly StoredCheckpoint[]>;
  /** With its nodes, in one transaction; kept once per size and key: a second replica's is the same. */
  add(checkpoint: NewCheckpoint): Promise<void>;
  /** Nodes alone; those that are there stay as they are. */
  addNodes(workspaceId: string, nodes: readonly TreeNode[]): Promise<void>;
  /** Workspaces with entries that no checkpoint of this key covers. */
  logsBehind(keyId: string): Promise<readonly string[]>;
  /** For proofs: roots of perfect subtrees of that height, `to` exclusive. Ones that were never kept are made from those below; zeros where an entry is gone, unless the stub of what was pruned kept its hash. */
  nodes(workspaceId: string, height: number, from: number, to: number): Promise<readonly Uint8Array[]>;
}
