/** The people of a workspace as they are now; identity knows. */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly permissions: readonly string[];
  readonly workspaceSlug: string;
}

export interface Members {
  /** Undefined for whoever is no member, or not any more. */
  find(workspaceId: string, userId: string): Promise<Member | undefined>;
  /** Ids of those who may read the whole trail. */
  auditors(workspaceId: string): Promise<readonly string[]>;
}
