/** The files of one root conversation: whatever path is named, nothing outside of them is read, listed, searched, written or removed. */
import type { FilesPlace } from '../jobs/job-backend.port.ts';
import type {
  FileFacts,
  FileRead,
  FileRemoved,
  FileWritten,
  Listing,
  ListingOptions,
  ToolAnswer,
  ToolRequest,
  WriteConditions,
} from '@bravo/workspace-files';

/** A conversation's files belong to one workspace; the same conversation named by another workspace is not found. */
export interface WorkspaceKey {
  readonly workspaceId: string;
  readonly conversationId: string;
}

export interface WorkedOn<T> {
  readonly result: T;
  readonly changed: readonly string[];
  readonly changesLost: boolean;
}

/**
 * Paths are workspace-relative, '/'-separated; '' and '.' are the root.
 * Faults of every method: `invalid_argument` for a path that is malformed, leaves the root or goes through a link that leads out;
 * `not_found` for another workspace's conversation; `sandbox_unavailable` or `unavailable` where the files cannot be opened now.
 */
export interface Workspaces {
  /** `not_found` where no file is. */
  read(key: WorkspaceKey, path: string, maxBytes: number, offset?: number): Promise<FileRead>;
  /** `not_found` where no directory is; the root always is. */
  list(
    key: WorkspaceKey,
    directory: string,
    depth: number,
    maxEntries: number,
    options?: ListingOptions,
  ): Promise<Listing>;
  stat(key: WorkspaceKey, path: string): Promise<FileFacts>;
  /** `invalid_argument` for a pattern the dialect refuses, `not_found` where no directory is. */
  search(key: WorkspaceKey, asked: ToolRequest<'search'>): Promise<ToolAnswer<'search'>>;
  /** `not_found` where no repository is, `invalid_argument` for a query that is none, `conflict` for a repository that is not read, `resource_exhausted` once its time is up. */
  readGit(key: WorkspaceKey, asked: ToolRequest<'git'>): Promise<ToolAnswer<'git'>>;
  /**
   * All or nothing, and lasting once it resolves. Missing directories are made.
   * `version_conflict` when the file is not as expected or the path leads elsewhere, `conflict` when the path runs through a file or names a directory,
   * or the operation id was used for something else, `resource_exhausted` beyond `WORKSPACE_LIMITS`.
   */
  write(key: WorkspaceKey, path: string, content: Uint8Array, conditions: WriteConditions): Promise<FileWritten>;
  /** `not_found` where nothing is, `conflict` for a directory that holds something, `version_conflict` for another revision. Lasting once it resolves. */
  remove(key: WorkspaceKey, path: string, expectedRevision: string): Promise<FileRemoved>;
  /**
   * Lets programs work on the files where they lie for as long as `work` takes, and keeps what they left. `changed`: paths that
   * are not what they were when it began, whoever changed them. `changesLost`: what was left could not be kept, so it is gone.
   * `sandbox_unavailable` where programs cannot be kept apart from other files. When `work` throws nothing is kept.
   */
  withFiles<T>(key: WorkspaceKey, work: (files: FilesPlace) => Promise<T>): Promise<WorkedOn<T>>;
  /** Idempotent. */
  erase(key: WorkspaceKey): Promise<void>;
  close(): Promise<void>;
}
