/** Manifest of `ask_user`: up to four questions to the person, who answers each in a choice, in their own words, or not at all. */
import { LIMITS } from '@bravo/policy';
import { type ToolDefinition, WHY } from './tool-definition.ts';

export const askUserTool: ToolDefinition = {
  manifest: {
    name: 'ask_user',
    title: 'Ask you something',
    description:
      'Asks the person up to four questions and waits for the answers. Give options where there are some to choose from; they may always answer in their own words or skip a question. A skipped question is an answer: go on without it and do not ask it again. What was answered before in this conversation is not asked again. Ask only what you need to know to go on.',
    origin: 'first_party',
    arguments: {
      questions: { class: 'content' },
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
    resultLabel: { kind: 'answered' },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 30, maxResultChars: 20_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      questions: {
        type: 'array',
        minItems: 1,
        maxItems: LIMITS['ask-questions'].value,
        items: {
          type: 'object',
          properties: {
            header: { type: 'string', minLength: 1, maxLength: 60, description: 'A word or two that name it.' },
            question: { type: 'string', minLength: 1, maxLength: 1_000, description: 'The question itself.' },
            options: {
              type: 'array',
              maxItems: 10,
              items: { type: 'string', minLength: 1, maxLength: 200 },
              description: 'What to choose from; left out, they answer in their own words.',
            },
            multiple: { type: 'boolean', description: 'True: more than one option may be chosen.' },
          },
          required: ['header', 'question'],
          additionalProperties: false,
        },
        description: 'One to four questions, each with header and question, and options where there are some.',
      },
      why: WHY,
    },
    required: ['questions'],
    additionalProperties: false,
  },
  example: {
    questions: [{ header: 'Tone', question: 'Which tone should the letter have?', options: ['Formal', 'Friendly'] }],
  },
};
