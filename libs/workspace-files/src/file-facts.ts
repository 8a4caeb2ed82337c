/** What is known of files, in the words that toolbox, runner and broker share. */

export type FileKind = 'file' | 'directory' | 'missing';

export interface FileFacts {
  /** The path in its normal form. Links are not followed, so it is where the path leads. */
  readonly landing: string;
  /** Changes with every write of the file and with every other content; '' for what is no file. The same after a restore. */
  readonly revision: string;
  readonly exists: boolean;
  readonly size: number;
  readonly kind: FileKind;
  /** Whether this filesystem takes names that differ in case for the same. */
  readonly caseFolding: boolean;
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
