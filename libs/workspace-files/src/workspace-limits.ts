/** How much the files of one conversation may be. Held by the filesystem they are on, and said before it says no. */
export const WORKSPACE_LIMITS = {
  bytes: 64 * 1024 * 1024,
  /** Files and directories together. */
  entries: 4096,
  depth: 32,
  nameBytes: 255,
  pathBytes: 1024,
} as const;
