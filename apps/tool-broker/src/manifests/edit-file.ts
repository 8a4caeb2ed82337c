/** Manifest of `edit_file`: replaces an exact passage of a vouched file, every time with a person's yes to the diff. */
import { LIMITS, TRUSTED_PUBLIC } from '@bravo/policy';
import { REFERENCE, type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

const TEXT = { type: 'string', maxLength: LIMITS['write-chars'].value } as const;

export const editFileTool: ToolDefinition = {
  manifest: {
    name: 'edit_file',
    title: 'Edit a file',
    description:
      'Replaces an exact passage in a text file that is vouched for; better than writing the whole file again. old_text has to be in the file exactly once, byte for byte, unless replace_all is set. A person sees the change and is asked first.',
    origin: 'first_party',
    arguments: {
      path: { class: 'routing', reaches: 'edit_path' },
      path_ref: { class: 'routing', reaches: 'edit_path_ref' },
      replace_all: { class: 'routing', reaches: 'nothing' },
      old_text: { class: 'content' },
      new_text: { class: 'content' },
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
    resultLabel: { kind: 'fixed', label: TRUSTED_PUBLIC },
    modes: ['coworker'],
    limits: { timeoutSeconds: 30, maxResultChars: 2_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      path: { ...WORKSPACE_PATH, description: 'Path of the file in the workspace, for example notes/todo.txt.' },
      path_ref: {
        ...REFERENCE,
        description: 'Instead of path: a reference to the name of a file, as list_files gives it.',
      },
      old_text: { ...TEXT, minLength: 1, description: 'The exact text to replace, with its spaces and line ends.' },
      new_text: { ...TEXT, description: 'What stands there afterwards; empty to take the passage out.' },
      replace_all: { type: 'boolean', description: 'Replace every occurrence. Default false.' },
      why: WHY,
    },
    required: ['old_text', 'new_text'],
    additionalProperties: false,
  },
  exactlyOne: [['path', 'path_ref']],
  example: { path: 'notes/todo.txt', old_text: 'milk', new_text: 'oat milk', why: 'The person asked for it.' },
};
