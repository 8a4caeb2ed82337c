/** Manifest of `read_git`: a repository's history and status from its files; nothing it configures is run or followed. */
import { LIMITS } from '@bravo/policy';
import { type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

const DAY = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;
export const GIT_COUNT = { usual: 20, most: LIMITS['git-count'].value } as const;

export const readGitTool: ToolDefinition = {
  manifest: {
    name: 'read_git',
    title: 'Read git history',
    description:
      'Reads the history or status of a git repository among the files, without running git. Queries: log, show, diff (of two revisions), status, tags, search (lines at a revision). It answers where the person vouched for the whole .git; what shows a file nobody vouched for is a reference. For blame, --follow or a diff of the working tree use run.',
    origin: 'first_party',
    arguments: {
      query: { class: 'routing', reaches: 'nothing' },
      repository: { class: 'routing', reaches: 'directory' },
      revision: { class: 'routing', reaches: 'nothing' },
      path: { class: 'routing', reaches: 'nothing' },
      pattern: { class: 'routing', reaches: 'nothing' },
      count: { class: 'routing', reaches: 'nothing' },
      skip: { class: 'routing', reaches: 'nothing' },
      messages: { class: 'routing', reaches: 'nothing' },
      since: { class: 'routing', reaches: 'nothing' },
      until: { class: 'routing', reaches: 'nothing' },
      why: { class: 'content' },
    },
    family: 'Read',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'nothing',
    defaultGate: 'none',
    resultLabel: { kind: 'paths' },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 30, maxResultChars: 100_000 },
  },
  example: { query: 'log', revision: 'v1.0..HEAD', path: 'src', count: 10 },
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        enum: ['log', 'show', 'diff', 'status', 'tags', 'search'],
        description: 'What to read.',
      },
      repository: {
        ...WORKSPACE_PATH,
        description: 'Directory that holds .git. Leave it out for the root of the workspace.',
      },
      revision: {
        type: 'string',
        minLength: 1,
        maxLength: 1024,
        description:
          'A branch, a tag, HEAD or an id, then ~N, ^N or ^{commit}. log: one, or A..B. show: one, or <revision>:<path>. diff: two, as A..B or A B. tags: only those it reaches. search: HEAD where it is left out.',
      },
      path: { ...WORKSPACE_PATH, description: 'Only this file or directory, from the root of the repository.' },
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: LIMITS['search-pattern-chars'].value,
        description: 'search only: the regular expression a line has to match, as of the search tool.',
      },
      count: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000,
        description: 'How many commits, tags or lines to list: 20 where it is left out, at most 200.',
      },
      skip: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'How many to pass over first.' },
      messages: { type: 'boolean', description: "log only: with each commit's whole message." },
      since: { ...DAY, description: 'log only: first day in UTC, YYYY-MM-DD.' },
      until: { ...DAY, description: 'log only: last day in UTC, YYYY-MM-DD.' },
      why: WHY,
    },
    required: ['query'],
    additionalProperties: false,
  },
};
