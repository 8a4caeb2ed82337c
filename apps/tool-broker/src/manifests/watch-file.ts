/** Manifest of `watch_file`: has this conversation told when one file changes. It asks for less than reading the file, and is judged as a read of it. */
import { LIMITS, TRUSTED_PUBLIC } from '@bravo/policy';
import { type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

export const watchFileTool: ToolDefinition = {
  manifest: {
    name: 'watch_file',
    title: 'Watch a file',
    description:
      'Watches one file of the workspace and has the line of this turn asked again each time the file changes. ' +
      `The file has to be there now. A conversation keeps ${LIMITS['watch-live'].value} watches, each for at most seven days, and none beside a loop or a goal.`,
    origin: 'first_party',
    arguments: {
      path: { class: 'routing', reaches: 'read_path' },
      why: { class: 'content' },
    },
    family: 'Read',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'turn',
    defaultGate: 'none',
    resultLabel: { kind: 'fixed', label: TRUSTED_PUBLIC },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 30, maxResultChars: 1_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      path: { ...WORKSPACE_PATH, description: 'Path of the file in the workspace, for example notes/todo.txt.' },
      why: WHY,
    },
    required: ['path'],
    additionalProperties: false,
  },
  example: { path: 'notes/todo.txt', why: 'You asked to be told when it changes.' },
};
