/** The keys of a person's sealed content. Destroying one is for good. */
export interface SealingKey {
  readonly keyId: string;
  readonly publicJwk: string;
}

export interface PersonKeys {
  /** The newest that is not destroyed and younger than that; undefined when there is none. */
  current(workspaceId: string, userId: string, youngerThan: Date): Promise<SealingKey | undefined>;
  add(workspaceId: string, userId: string, key: SealingKey & { readonly wrappedKey: string }): Promise<void>;
  /** Of the workspace: the wrapped private half, `erased` where it was destroyed, undefined where there never was one. */
  wrapped(
    workspaceId: string,
    keyId: string,
  ): Promise<{ readonly wrappedKey: string; readonly userId: string } | 'erased' | undefined>;
  /** Destroys all of a person's keys and puts that on record, both or neither. @returns how many. */
  erase(workspaceId: string, userId: string, by: { readonly actor: string; readonly reason: string }): Promise<number>;
}
