/** What is known of files, in the words that toolbox, runner and broker share. */

export type FileKind = 'file' | 'directory' | 'missing';

export interface FileFacts {
  /** Where the path leads after every link: no link is on this way. */
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
  /** Of a link: where it leads; '' where that is out, in a circle or nothing. '' of anything else. */
  readonly landing: string;
  /** Of a file, where it was asked for. */
  readonly revision?: string | undefined;
}

export interface FileRemoved {
  readonly kind: 'file' | 'link' | 'directory';
  /** What the file was; '' for anything else. */
  readonly revision: string;
}

export interface ListingOptions {
  /** Only what stands behind this path in the order of the answer. */
  readonly after?: string | undefined;
  readonly withRevisions?: boolean | undefined;
}

export interface Listing {
  /** Where the directory is; the paths of the entries begin with it. */
  readonly landing: string;
  /** By path; what is neither file, directory nor link is left out. */
  readonly entries: readonly ListedEntry[];
  readonly truncated: boolean;
}

export interface WriteConditions {
  /** '' writes whatever is there; `ABSENT` only where nothing is; else only over that revision. */
  readonly expectedRevision: string;
  /** '' wherever the path leads; else only where it leads there. */
  readonly expectedLanding: string;
  /** '' for none. The same id answers with its first result and writes nothing again. */
  readonly operationId: string;
}

export interface FileWritten {
  readonly facts: FileFacts;
  readonly created: boolean;
}

export const ABSENT = 'absent';
