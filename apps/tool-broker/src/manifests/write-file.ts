/** Manifest of `write_file`: creates or replaces one file of the workspace, every time with a person's yes. */
import { LIMITS } from '@bravo/policy';
import { TRUSTED_PUBLIC } from '@bravo/policy';
import { REFERENCE, type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

export const MAX_WRITE_CHARS = LIMITS['write-chars'].value;

export const writeFileTool: ToolDefinition = {
  manifest: {
    name: 'write_file',
    title: 'Write a file',
    description:
      'Creates a file of the workspace or replaces the whole file. Name the file by path, or by path_ref (a reference to its name). Give either contents (the text) or contents_ref (a reference such as ref:3 whose content is saved unseen). A person is asked first.',
    origin: 'first_party',
    arguments: {
      path: { class: 'routing', reaches: 'write_path' },
      path_ref: { class: 'routing', reaches: 'write_path_ref' },
      contents: { class: 'content' },
      contents_ref: { class: 'content', reaches: 'reference' },
      why: { class: 'content' },
    },
    family: 'Edit',
    permission: 'manage_files',
    effect: 'write',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'nothing',
    defaultGate: 'every_time',
    // What comes back is a receipt in the broker's own words.
    resultLabel: { kind: 'fixed', label: TRUSTED_PUBLIC },
    modes: ['coworker'],
    limits: { timeoutSeconds: 30, maxResultChars: 2_000 },
  },
  example: { path: 'notes/todo.txt', contents: 'Buy milk\\n', why: 'You asked me to note it.' },
  inputSchema: {
    type: 'object',
    properties: {
      path: { ...WORKSPACE_PATH, description: 'Path of the file in the workspace, for example notes/todo.txt.' },
      path_ref: {
        ...REFERENCE,
        description: 'Instead of path: a reference to the name of a file, as list_files gives it.',
      },
      contents: { type: 'string', maxLength: MAX_WRITE_CHARS, description: 'The whole new text of the file.' },
      contents_ref: {
        ...REFERENCE,
        description: 'A reference whose content is saved, for example ref:3.',
      },
      why: WHY,
    },
    additionalProperties: false,
  },
  exactlyOne: [
    ['path', 'path_ref'],
    ['contents', 'contents_ref'],
  ],
};
