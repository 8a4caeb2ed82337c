/** Manifest of `search`: lines of the conversation's files; a line of a file nobody vouched for is never shown to the agent. */
import { LIMITS } from '@bravo/policy';
import { type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

const PATTERN = { type: 'string', minLength: 1, maxLength: LIMITS['search-pattern-chars'].value } as const;

export const searchTool: ToolDefinition = {
  manifest: {
    name: 'search',
    title: 'Search files',
    description:
      'Finds lines that match a regular expression (or any of a list) in the files of the workspace. Supported: literals . * + ? | () (?:) [] \\d \\w \\s \\b ^ $ (?i); no counted repetition, backreferences or lookaround. Lines of files that nobody vouched for are given as references like ref:3 (the person sees them).',
    origin: 'first_party',
    arguments: {
      pattern: { class: 'routing', reaches: 'nothing' },
      directory: { class: 'routing', reaches: 'directory' },
      include: { class: 'routing', reaches: 'nothing' },
      offset: { class: 'routing', reaches: 'nothing' },
      case_sensitive: { class: 'routing', reaches: 'nothing' },
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
    limits: { timeoutSeconds: 30, maxResultChars: 60_000 },
  },
  example: { pattern: 'TODO|FIXME', include: '**/*.{ts,js}' },
  inputSchema: {
    type: 'object',
    properties: {
      pattern: {
        anyOf: [PATTERN, { type: 'array', items: PATTERN, minItems: 1, maxItems: LIMITS['search-patterns'].value }],
        description: 'What a line has to match; of a list, any of them.',
      },
      directory: {
        ...WORKSPACE_PATH,
        description: 'Where to search, for example src. Leave it out for the whole workspace.',
      },
      include: {
        type: 'string',
        minLength: 1,
        maxLength: 1024,
        description: 'Glob of the files to search, for example **/*.{ts,js}.',
      },
      offset: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000_000,
        description: 'How many matches to pass over, to go on where an answer was cut.',
      },
      case_sensitive: { type: 'boolean', description: 'Default true.' },
      why: WHY,
    },
    required: ['pattern'],
    additionalProperties: false,
  },
};
