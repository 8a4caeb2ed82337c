/**
 * What runner and toolbox say to each other: one request and one answer, each a JSON head and bytes, over HTTP on a socket
 * that nobody else has. The runner takes an answer for the words of an untrusted program: bounded, parsed by these shapes.
 */
import { z } from 'zod';
import { WORKSPACE_LIMITS } from './workspace-limits.ts';

const path = z.string().max(4 * WORKSPACE_LIMITS.pathBytes);
const count = z.number().int().min(0);
const DIGEST = /^[0-9a-f]{64}$/;

export const fileFacts = z.object({
  landing: path,
  revision: z.string().max(64),
  exists: z.boolean(),
  size: count,
  kind: z.enum(['file', 'directory', 'missing']),
  caseFolding: z.boolean(),
});

/** What is remembered of a conversation: its files, and which writes were already done. */
export const AREAS = ['files', 'operations'] as const;

export const inventoryEntry = z.object({
  area: z.enum(AREAS),
  path,
  kind: z.enum(['file', 'directory', 'link']),
  mode: z.number().int().min(0).max(0o7777),
  /** Microseconds since 1970. */
  modified: count,
  size: count,
  /** SHA-256 of a file's content, '' of anything else. */
  digest: z.union([z.string().regex(DIGEST), z.literal('')]),
  /** Where a link points, '' of anything else. */
  target: z.string().max(4096),
});
export type InventoryEntry = z.infer<typeof inventoryEntry>;

export const GIT_QUERIES = ['log', 'show', 'diff', 'status', 'tags', 'search'] as const;
export type GitQuery = (typeof GIT_QUERIES)[number];

const searchMatch = z.object({ path, line: count, text: z.string() });

/** Per verb the head of the request and the head of the answer. Bytes go with `write` and `restore`, and come with `read` and `content`. */
export const TOOL_MESSAGES = {
  stat: { request: z.object({ path }), answer: fileFacts },
  read: {
    request: z.object({ path, maxBytes: count, offset: count.optional() }),
    answer: z.object({ size: count, truncated: z.boolean(), facts: fileFacts }),
  },
  list: {
    request: z.object({
      directory: path,
      depth: count,
      maxEntries: count,
      /** Only what stands behind this path in the order of the answer. */
      after: path.optional(),
      withRevisions: z.boolean().optional(),
    }),
    answer: z.object({
      landing: path,
      entries: z
        .array(
          z.object({
            path,
            kind: z.enum(['file', 'directory', 'link']),
            size: count,
            landing: path,
            revision: z.string().max(64).optional(),
          }),
        )
        .max(WORKSPACE_LIMITS.entries * 2),
      truncated: z.boolean(),
    }),
  },
  write: {
    request: z.object({
      path,
      expectedRevision: z.string().max(64),
      expectedLanding: path,
      operationId: z.string().max(256),
    }),
    answer: z.object({ facts: fileFacts, created: z.boolean() }),
  },
  remove: {
    request: z.object({ path, expectedRevision: z.string().max(64) }),
    answer: z.object({ kind: z.enum(['file', 'link', 'directory']), revision: z.string().max(64) }),
  },
  search: {
    request: z.object({
      patterns: z.array(z.string()).max(100),
      caseSensitive: z.boolean(),
      directory: path,
      include: z.string().max(1024),
      offset: count,
      maxMatches: count,
    }),
    answer: z.object({
      /** Where the directory is; the paths of the matches begin with it. */
      landing: path,
      matches: z.array(searchMatch).max(10_000),
      /** Offset to go on from; 0 when the matches did not run out. */
      nextOffset: count,
      /** Also those passed over; all there are unless the answer is partial. */
      matchesSeen: count,
      filesSearched: count,
      /** Too large, no text, or not to be read. */
      filesSkipped: count,
      /** Three kinds of partial: more matches than asked for, files not opened for want of time, files not walked. */
      partial: z.array(z.enum(['matches', 'time', 'files'])),
    }),
  },
  git: {
    request: z.object({
      query: z.enum(GIT_QUERIES),
      repository: path,
      revision: z.string().max(1024),
      /** From the root of the repository; '' for all of it. */
      path,
      pattern: z.string().max(1024),
      count,
      skip: count,
      messages: z.boolean(),
      since: z.string().max(32),
      until: z.string().max(32),
    }),
    answer: z.object({
      /** Where the repository is after every link. */
      landing: path,
      /** Parts of the text with the files each shows, from the root of the repository; none for what the history itself says. */
      sections: z.array(z.object({ paths: z.array(path).max(4), text: z.string() })).max(10_000),
      notes: z.array(z.string().max(2_000)).max(20),
      /** How many to pass over to go on; 0 where there are no more. */
      next: count,
      /** Files a search read, whether or not anything in them matched. */
      read: z.array(path).max(100_000),
    }),
  },
  inventory: {
    request: z.object({}),
    answer: z.object({ entries: z.array(inventoryEntry).max(4 * WORKSPACE_LIMITS.entries), leftOut: count }),
  },
  content: { request: z.object({ area: z.enum(AREAS), path, digest: z.string().regex(DIGEST) }), answer: z.object({}) },
  restore: { request: inventoryEntry, answer: z.object({}) },
} as const;
export type ToolVerb = keyof typeof TOOL_MESSAGES;
export type ToolRequest<V extends ToolVerb> = z.infer<(typeof TOOL_MESSAGES)[V]['request']>;
export type ToolAnswer<V extends ToolVerb> = z.infer<(typeof TOOL_MESSAGES)[V]['answer']>;

/** Faults a toolbox may answer with; another code becomes `internal`. */
export const toolFault = z.object({
  code: z.enum(['invalid_argument', 'not_found', 'conflict', 'version_conflict', 'resource_exhausted']),
  detail: z.string().max(2_000),
});

/** Longest message either way: a whole workspace and its head. */
export const MOST_MESSAGE_BYTES = WORKSPACE_LIMITS.bytes + 8 * 1024 * 1024;
const HEAD_LENGTH_BYTES = 4;

export const packMessage = (head: unknown, bytes: Uint8Array = new Uint8Array()): Buffer => {
  const text = Buffer.from(JSON.stringify(head), 'utf8');
  const length = Buffer.alloc(HEAD_LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, bytes]);
};

/** Throws an Error for what is no message. */
export const unpackMessage = (message: Buffer): { head: unknown; bytes: Buffer } => {
  if (message.length < HEAD_LENGTH_BYTES) throw new Error('the message is cut off');
  const end = HEAD_LENGTH_BYTES + message.readUInt32BE(0);
  if (message.length < end) throw new Error('the head of the message is cut off');
  return {
    head: JSON.parse(message.subarray(HEAD_LENGTH_BYTES, end).toString('utf8')) as unknown,
    bytes: message.subarray(end),
  };
};
