/**
 * Who may change the files of a conversation, and which snapshot they are: kept where all runners look. Guarantees that a snapshot
 * is set only by the one who holds the lease; a process that lost it, however long it slept, sets nothing.
 */

export interface LeaseKey {
  readonly workspaceId: string;
  readonly conversationId: string;
}

export interface Lease {
  /** Rises with every time it is taken, by whomever. */
  readonly fence: number;
  /** Name of the snapshot as it was when it was taken; '' for no files. */
  readonly head: string;
}

/** Every method throws Fault `not_found` for another workspace's conversation. */
export interface LeaseStore {
  /** Name of the present snapshot; '' for none, undefined where the conversation was never changed. */
  head(key: LeaseKey): Promise<string | undefined>;
  /**
   * Undefined while another process holds it that is not overdue.
   * @param first head of a conversation that was never changed here.
   */
  take(key: LeaseKey, ttlMs: number, first: string): Promise<Lease | undefined>;
  /** False when it was lost. */
  renew(key: LeaseKey, lease: Lease, ttlMs: number): Promise<boolean>;
  /** Sets the snapshot. False when the lease was lost; then nothing is set. */
  commit(key: LeaseKey, lease: Lease, head: string): Promise<boolean>;
  /** Nothing where it was lost. */
  release(key: LeaseKey, lease: Lease): Promise<void>;
}
