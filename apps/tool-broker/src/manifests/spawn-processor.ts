/** Manifest of `spawn_processor`: an isolated model call over quarantined content; its answer is quarantined as well and goes nowhere but to the file it is about. */
import { REFERENCE, type ToolDefinition, WHY } from './tool-definition.ts';

export const MAX_PROCESSED_REFS = 16;

export const spawnProcessorTool: ToolDefinition = {
  manifest: {
    name: 'spawn_processor',
    title: 'Work on quarantined content',
    description:
      'Gives content that is kept from you to a model without tools, which does what you say with it. You get its answer as a new reference that you cannot read either. The answer can be written with write_file and contents_ref, and only to the file that the call was about.',
    origin: 'first_party',
    arguments: {
      reads: { class: 'routing', reaches: 'references' },
      about: { class: 'routing', reaches: 'reference' },
      instruction: { class: 'content' },
      why: { class: 'content' },
    },
    family: 'none',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'model_call',
    defaultGate: 'none',
    resultLabel: { kind: 'taint' },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 180, maxResultChars: 4_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      reads: {
        type: 'array',
        items: { ...REFERENCE },
        minItems: 1,
        maxItems: MAX_PROCESSED_REFS,
        uniqueItems: true,
        description: 'The references it may read, for example ["ref:3"].',
      },
      about: {
        ...REFERENCE,
        description: 'Which of them the answer is for. Needed when there are several and the answer is to be written.',
      },
      instruction: {
        type: 'string',
        minLength: 1,
        maxLength: 20_000,
        description: 'What to do with the content and what to produce. The processor knows nothing else.',
      },
      why: WHY,
    },
    required: ['reads', 'instruction'],
    additionalProperties: false,
  },
  example: { reads: ['ref:3'], instruction: 'Translate the text to German.', why: 'You asked for a translation.' },
};
