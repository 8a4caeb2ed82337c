/** The routes of a conversation's files as functions; it must never decide what may be read. */
import { call, callJson } from '../api/http.client.ts';

export type FileTrust = 'trusted' | 'untrusted' | 'unmentioned';

export interface ConversationFile {
  path: string;
  kind: 'file' | 'directory' | 'link';
  size: number;
  change_token: string;
  landing: string;
  trust: FileTrust;
  quarantined: boolean;
}

export interface FilesPage {
  files: readonly ConversationFile[];
  nextCursor: string;
  letsRead: boolean;
}

const at = (workspace: string, conversation: string): string =>
  `/${encodeURIComponent(workspace)}/bravo/conversations/${encodeURIComponent(conversation)}/files`;
const fileAt = (workspace: string, conversation: string, path: string): string =>
  `${at(workspace, conversation)}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Where the browser may fetch the bytes of a file. */
export const downloadAddress = (workspace: string, conversation: string, path: string): string =>
  `/api/v1${fileAt(workspace, conversation, path)}`;

export async function listFiles(workspace: string, conversation: string, cursor: string): Promise<FilesPage> {
  const page = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  return readFilesPage(await callJson<unknown>(`${at(workspace, conversation)}${page}`));
}

/** Overwrites only the very file that was seen; a new one is put only where nothing is. */
export async function uploadFile(
  workspace: string,
  conversation: string,
  path: string,
  { bytes, letsRead, seen }: { bytes: Blob; letsRead: boolean; seen: string | undefined },
): Promise<void> {
  await call(`${fileAt(workspace, conversation, path)}?lets_read=${String(letsRead)}`, {
    method: 'PUT',
    bytes,
    headers: seen === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${seen}"` },
  });
}

export async function removeFile(workspace: string, conversation: string, file: ConversationFile): Promise<void> {
  await call(fileAt(workspace, conversation, file.path), {
    method: 'DELETE',
    ...(file.change_token === '' ? {} : { headers: { 'if-match': `"${file.change_token}"` } }),
  });
}

/** What has another shape is left out, and whatever is not said to be trusted is not. */
export function readFilesPage(answer: unknown): FilesPage {
  const { files, next_cursor, lets_read } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<
    string,
    unknown
  >;
  return {
    files: (Array.isArray(files) ? files : []).flatMap((file) => readFile(file as Record<string, unknown> | null)),
    nextCursor: typeof next_cursor === 'string' ? next_cursor : '',
    letsRead: lets_read === true,
  };
}

const readFile = (file: Record<string, unknown> | null): ConversationFile[] => {
  if (typeof file?.['path'] !== 'string' || file['path'] === '') return [];
  const { kind, size, change_token, landing, trust, quarantined } = file;
  return [
    {
      path: file['path'],
      kind: kind === 'directory' || kind === 'link' ? kind : 'file',
      size: typeof size === 'number' ? size : 0,
      change_token: typeof change_token === 'string' ? change_token : '',
      landing: typeof landing === 'string' ? landing : '',
      trust: trust === 'trusted' || trust === 'untrusted' ? trust : 'unmentioned',
      quarantined: quarantined !== false,
    },
  ];
};
