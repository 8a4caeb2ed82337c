/** Manifest of `list_files`: names of the conversation's workspace; a name nobody vouched for is never shown to the agent. */
import { LIMITS } from '@bravo/policy';
import { type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

export const MAX_LISTED_ENTRIES = LIMITS['list-entries'].value;

export const listFilesTool: ToolDefinition = {
  manifest: {
    name: 'list_files',
    title: 'List files',
    description:
      'Lists the files and directories of the workspace. Names that nobody vouched for are given as references like ref:3 (the person sees the name).',
    origin: 'first_party',
    arguments: {
      directory: { class: 'routing', reaches: 'directory' },
      depth: { class: 'routing', reaches: 'nothing' },
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
    limits: { timeoutSeconds: 30, maxResultChars: 40_000 },
  },
  example: { directory: 'notes', depth: 2 },
  inputSchema: {
    type: 'object',
    properties: {
      directory: {
        ...WORKSPACE_PATH,
        description: 'Directory to list, for example src. Leave it out for the whole workspace.',
      },
      depth: { type: 'integer', minimum: 1, maximum: 32, description: 'How many levels deep to list. Default 1.' },
      why: WHY,
    },
    additionalProperties: false,
  },
};
