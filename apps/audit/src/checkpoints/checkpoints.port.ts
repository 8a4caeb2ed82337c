/** The signed checkpoints of each log. Nothing here can change or remove one. */
import type { MerkleState } from '../merkle/merkle-tree.ts';

export interface StoredCheckpoint {
  readonly size: number;
  /** C2SP signed note. */
  readonly note: string;
  /** Packed subtrees; read them with `unpackPeaks`. */
  readonly peaks: Uint8Array;
}

export interface Checkpoints {
  latest(workspaceId: string): Promise<StoredCheckpoint | undefined>;
  /** From the smallest to the largest log they cover. */
  all(workspaceId: string): Promise<readonly StoredCheckpoint[]>;
  /** Kept once per size: a second replica's is the same. */
  add(workspaceId: string, note: string, state: MerkleState): Promise<void>;
  /** Workspaces with entries no checkpoint covers. */
  logsBehind(): Promise<readonly string[]>;
}
