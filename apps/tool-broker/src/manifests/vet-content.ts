/** Manifest of `vet_content`: asks a person to let the agent read one quarantined slot, after a confined check has read it. */
import { REFERENCE, type ToolDefinition, WHY } from './tool-definition.ts';

export const vetContentTool: ToolDefinition = {
  manifest: {
    name: 'vet_content',
    title: 'Let @bravo read quarantined content',
    description:
      'Asks the person to let you read what is behind a reference. They see the content first, with what a check says of it. If they agree you get it as text; if not, work with what you have or say what you need, and do not ask again.',
    origin: 'first_party',
    arguments: {
      ref: { class: 'routing', reaches: 'reference' },
      // Sent to the check, which is another model call.
      expects: { class: 'content', mustBePublic: true },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'question',
    defaultGate: 'none',
    resultLabel: { kind: 'released' },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 30, maxResultChars: 100_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      ref: { ...REFERENCE, description: 'The reference, for example ref:3.' },
      expects: { type: 'string', maxLength: 500, description: 'What you expect it to hold, in one sentence.' },
      why: WHY,
    },
    required: ['ref'],
    additionalProperties: false,
  },
  example: { ref: 'ref:3', expects: 'a list of names', why: 'You asked what is in the list.' },
};
