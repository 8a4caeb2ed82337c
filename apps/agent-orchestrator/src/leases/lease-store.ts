/** The leases of this instance; who may drive a conversation is decided in the database and nowhere else. */
export interface LeaseStore {
  /** @returns those that are still this instance's. */
  renew(conversationIds: readonly string[]): Promise<string[]>;
  release(conversationId: string): Promise<void>;
  /** Gives up whatever instances that are dead held. */
  releaseOf(holders: readonly string[]): Promise<void>;
}
