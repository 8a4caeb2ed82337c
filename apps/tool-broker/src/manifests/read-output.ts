/** Manifest of `read_output`: asks a person to let the agent read what a program printed; what only its length kept out is handed over page by page, unasked. */
import { REFERENCE, type ToolDefinition, WHY } from './tool-definition.ts';

export const readOutputTool: ToolDefinition = {
  manifest: {
    name: 'read_output',
    title: 'Let @bravo read a program’s output',
    description:
      'Asks the person to let you read what a program printed. For output that was let through already and was too long for one result, give the offset that the result named: nobody is asked then.',
    origin: 'first_party',
    arguments: {
      ref: { class: 'routing', reaches: 'program_output_ref' },
      offset: { class: 'routing', reaches: 'nothing' },
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
      ref: { ...REFERENCE, description: 'The reference to the output, for example ref:3.' },
      offset: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'The byte to go on from, for output that you may read already. Default 0.',
      },
      why: WHY,
    },
    required: ['ref'],
    additionalProperties: false,
  },
  example: { ref: 'ref:3', why: 'You asked what the program said.' },
};
