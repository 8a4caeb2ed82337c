/** What secrets need of a store, which sees sealed bytes only. */

export interface SecretStore {
  putSecret(secret: {
    workspaceId: string;
    name: string;
    sealed: Uint8Array<ArrayBuffer>;
    updatedBy: string;
  }): Promise<void>;
  listNames(workspaceId: string): Promise<string[]>;
  findSealed(workspaceId: string, name: string): Promise<Uint8Array | undefined>;
}
