/** Manifest of `read_file`: reads one text file of the conversation's workspace and nothing outside it. */
import { LIMITS } from '@bravo/policy';
import { REFERENCE, type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

export const MAX_READ_LINES = LIMITS['read-lines'].value;

export const readFileTool: ToolDefinition = {
  manifest: {
    name: 'read_file',
    title: 'Read a file',
    description:
      'Reads a text file of the workspace, up to 500 lines at a time. If the file is longer, the answer says which offset to go on from. ' +
      'You get the text itself only for files that are vouched for; for any other file you get a reference like ref:3, which you can pass on (for example as contents_ref) but not read.',
    origin: 'first_party',
    arguments: {
      path: { class: 'routing', reaches: 'read_path' },
      path_ref: { class: 'routing', reaches: 'read_path_ref' },
      offset: { class: 'routing', reaches: 'nothing' },
      limit: { class: 'routing', reaches: 'nothing' },
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
  example: { path: 'notes/todo.txt' },
  inputSchema: {
    type: 'object',
    properties: {
      path: { ...WORKSPACE_PATH, description: 'Path of the file in the workspace, for example notes/todo.txt.' },
      path_ref: {
        ...REFERENCE,
        description: 'Instead of path: a reference to the name of a file, as list_files gives it.',
      },
      offset: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000_000,
        description: 'First line to read, counted from 1. Default 1.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000,
        description: 'How many lines to read, at most 500. Default 500.',
      },
      why: WHY,
    },
    additionalProperties: false,
  },
  exactlyOne: [['path', 'path_ref']],
};
