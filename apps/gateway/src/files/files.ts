/** A conversation's files, as the gateway uses them. */
import type { CallSubject } from '../callers/caller.ts';
import type { FileView } from './file-routes.ts';

export const FILES = Symbol('files');

export interface FilesPage {
  readonly files: FileView[];
  readonly next_cursor: string;
  readonly lets_read: boolean;
}

export interface Files {
  list(
    subject: CallSubject,
    conversationId: string,
    asked: { directory: string; depth: number; limit: number; after: string },
  ): Promise<FilesPage>;
  /** The facts, then the bytes. */
  read(
    subject: CallSubject,
    conversationId: string,
    path: string,
    gone: AbortSignal,
  ): AsyncIterable<FileView | Uint8Array>;
  write(
    subject: CallSubject,
    conversationId: string,
    path: string,
    content: Buffer,
    how: { expectedRevision: string; letsRead: boolean | undefined },
  ): Promise<{ file: FileView; created: boolean }>;
  remove(subject: CallSubject, conversationId: string, path: string, expectedRevision: string): Promise<void>;
}
