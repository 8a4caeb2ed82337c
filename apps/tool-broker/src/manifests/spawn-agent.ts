/** Manifest of `spawn_agent`: a second planner with a narrower set of tools. Starting it changes nothing; whatever it does is decided as its own. */
import { LIMITS, TRUSTED_PUBLIC } from '@bravo/policy';
import { type ToolDefinition, WHY } from './tool-definition.ts';

export const MAX_EACH = LIMITS['delegate-each'].value;
export const MAX_TASK_CHARS = 12_000;
export const MAX_ENTRY_CHARS = 2_000;

export const spawnAgentTool: ToolDefinition = {
  manifest: {
    name: 'spawn_agent',
    title: 'Hand a part of the work to a delegate',
    description:
      'Starts a delegate, which works on its own with fewer tools and reports once. A reader finds something out; a checker may run programs too; a worker may also write files. The call answers as soon as it has started: go on, or end your turn; each report comes later as a message of its own. A delegate knows nothing but its task and cannot ask, so say everything in it.',
    origin: 'first_party',
    arguments: {
      kind: { class: 'routing', reaches: 'nothing' },
      task: { class: 'content' },
      each: { class: 'content' },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'delegate',
    defaultGate: 'none',
    // What comes back is a receipt in the broker's own words.
    resultLabel: { kind: 'fixed', label: TRUSTED_PUBLIC },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 30, maxResultChars: 2_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      kind: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'reader, checker or worker.',
      },
      task: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_TASK_CHARS,
        description: 'The whole of what the delegate is told.',
      },
      each: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: MAX_ENTRY_CHARS },
        minItems: 1,
        maxItems: MAX_EACH,
        description: 'Starts one delegate per entry; each is told the task followed by its own entry.',
      },
      why: WHY,
    },
    required: ['kind', 'task'],
    additionalProperties: false,
  },
  example: {
    kind: 'reader',
    task: 'Read the file named below and say in one sentence what it is about.',
    each: ['notes/a.md', 'notes/b.md'],
    why: 'Two files at the same time.',
  },
};
