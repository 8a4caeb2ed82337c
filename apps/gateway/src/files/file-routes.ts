/** The routes of a conversation's files: which there are, their bytes both ways, and taking them away. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { nextCursor } from '../routes/shapes.ts';

/** As the broker takes them. */
export const MOST_UPLOAD_BYTES = 32 * 1024 * 1024;

export const fileView = z.object({
  path: z.string().describe('From the root of the files; a program may have chosen it: shown, never believed'),
  kind: z.enum(['file', 'directory', 'link']),
  size: z.int(),
  change_token: z.string().describe('Of a file: the ETag without its quotes; else empty'),
  landing: z.string().describe('Of a link: where it leads among the files; empty where it does not'),
  trust: z.enum(['trusted', 'untrusted', 'unmentioned']).describe('Whether @bravo may read it'),
  quarantined: z.boolean().describe('A picture or a PDF: @bravo is never shown it as text, whatever its trust'),
});
export type FileView = z.output<typeof fileView>;

const area = 'Files';
const root = '/api/v1/:ws/bravo/conversations/:cid/files';

export const LIST_FILES = defineRoute({
  method: 'GET',
  path: root,
  summary: 'The files of the conversation with their labels, name by name, a directory before what is in it',
  area,
  access: 'bravo',
  query: z.strictObject({
    directory: z.string().max(1024).optional().describe('Only what is below it'),
    depth: z.coerce.number().int().min(1).max(32).optional().describe('Levels; all where it is not said'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('Entries of the page, 200 where it is not said'),
    cursor: z.string().max(1024).optional().describe('next_cursor of the page before'),
  }),
  status: 200,
  answer: z.object({
    files: z.array(fileView),
    next_cursor: nextCursor,
    lets_read: z.boolean().describe('What the person last said of "let @bravo read it"'),
  }),
});

export const READ_FILE = defineRoute({
  method: 'GET',
  path: `${root}/*`,
  summary: 'The bytes of a file; its change token is the ETag',
  area,
  access: 'bravo',
  headers: { 'If-None-Match': 'The ETag that is there already; answers 304 where it still is' },
  status: 200,
  alsoAnswers: ['application/octet-stream'],
});

export const WRITE_FILE = defineRoute({
  method: 'PUT',
  path: `${root}/*`,
  summary: 'Puts a file among those of the conversation, with the directories on the way to it; at most 32 MiB',
  area,
  access: 'bravo',
  needs: 'manage_files',
  query: z.strictObject({
    lets_read: z
      .enum(['true', 'false'])
      .optional()
      .describe('Whether @bravo may read it; remembered, and where it is not said as the last time, at first false'),
  }),
  headers: {
    'If-Match': 'The ETag that was read; a newer file refuses the change',
    'If-None-Match': '"*": only where nothing is',
  },
  bytes: true,
  status: 200,
  answer: z.object({ file: fileView, created: z.boolean() }),
});

export const REMOVE_FILE = defineRoute({
  method: 'DELETE',
  path: `${root}/*`,
  summary: 'Takes away a file, a link (not what it leads to) or an empty directory',
  area,
  access: 'bravo',
  needs: 'manage_files',
  headers: { 'If-Match': 'The ETag that was read; a newer file refuses the change' },
  status: 204,
});
