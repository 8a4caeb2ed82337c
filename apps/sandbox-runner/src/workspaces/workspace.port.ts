/** The files of one root conversation: whatever path is named, nothing outside of them is read, listed, written or removed. */

/** A conversation's files belong to one workspace; the same conversation named by another workspace is not found. */
export interface WorkspaceKey {
  readonly workspaceId: string;
  readonly conversationId: string;
}

export type FileKind = 'file' | 'directory' | 'missing';

export interface FileFacts {
  /** The path in its normal form. Links are not followed, so it is where the path leads. */
  readonly landing: string;
  /** Changes with every write of the file; '' for what is no file. */
  readonly revision: string;
  readonly exists: boolean;
  readonly size: number;
  readonly kind: FileKind;
}

export interface FileRead {
  readonly content: Uint8Array;
  /** Of the whole file. */
  readonly size: number;
  readonly truncated: boolean;
  readonly facts: FileFacts;
}

export interface ListedEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link';
  readonly size: number;
}

export interface Listing {
  /** By path; what is neither file, directory nor link is left out. */
  readonly entries: readonly ListedEntry[];
  readonly truncated: boolean;
}

export interface WriteConditions {
  /** '' writes whatever is there; `ABSENT` only where nothing is; else only over that revision. */
  readonly expectedRevision: string;
  /** '' for none. The same id answers with its first result and writes nothing again. */
  readonly operationId: string;
}

export interface FileWritten {
  readonly facts: FileFacts;
  readonly created: boolean;
}

export const ABSENT = 'absent';

/**
 * Paths are workspace-relative, '/'-separated; '' and '.' are the root.
 * Faults of every method: `invalid_argument` for a path that is malformed, leaves the root or goes through a link;
 * `not_found` for another workspace's conversation.
 */
export interface Workspaces {
  /** `not_found` where no file is. */
  read(key: WorkspaceKey, path: string, maxBytes: number): Promise<FileRead>;
  /** `not_found` where no directory is; the root always is. */
  list(key: WorkspaceKey, directory: string, depth: number, maxEntries: number): Promise<Listing>;
  stat(key: WorkspaceKey, path: string): Promise<FileFacts>;
  /**
   * All or nothing, and lasting once it resolves. Missing directories are made.
   * `version_conflict` when the file is not as expected, `conflict` when the path runs through a file or names a directory,
   * or the operation id was used for something else, `resource_exhausted` beyond `WORKSPACE_LIMITS`.
   */
  write(key: WorkspaceKey, path: string, content: Uint8Array, conditions: WriteConditions): Promise<FileWritten>;
  /** Idempotent. */
  erase(key: WorkspaceKey): Promise<void>;
}

export const WORKSPACE_LIMITS = {
  bytes: 64 * 1024 * 1024,
  /** Files and directories together. */
  entries: 4096,
  depth: 32,
  nameBytes: 255,
  pathBytes: 1024,
} as const;
