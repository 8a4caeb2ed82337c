/** Manifest of `todo_write`: the agent's list of what it is doing, for the person to see; nothing is touched by it. */
import { TRUSTED_PUBLIC } from '@bravo/policy';
import { type ToolDefinition, WHY } from './tool-definition.ts';

export const todoWriteTool: ToolDefinition = {
  manifest: {
    name: 'todo_write',
    title: 'Write the task list',
    description:
      'Records the list of what you are doing, which the person sees. Give the whole list every time: it replaces the one before. A status is pending, in_progress or completed; any other counts as pending.',
    origin: 'first_party',
    arguments: {
      todos: { class: 'content' },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'nothing',
    defaultGate: 'none',
    // What comes back is a receipt in the broker's own words.
    resultLabel: { kind: 'fixed', label: TRUSTED_PUBLIC },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 10, maxResultChars: 1_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        minItems: 0,
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            content: { type: 'string', minLength: 1, maxLength: 500, description: 'What is to be done.' },
            status: { type: 'string', maxLength: 40, description: 'pending, in_progress or completed.' },
          },
          required: ['content', 'status'],
          additionalProperties: false,
        },
        description: 'The complete list, each item with content and status.',
      },
      why: WHY,
    },
    required: ['todos'],
    additionalProperties: false,
  },
  example: { todos: [{ content: 'Read the notes', status: 'in_progress' }], why: 'So that you see what I do.' },
};
