/** What every tool answers, told as text and, to clients that know structured content, as the same few facts. It repeats no text: what the planner may read stands once. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { ToolAnswer } from '../tool-calls/tool-call.ts';

/** The revision of MCP that brought structured content; versions are dates and sort as text. */
const STRUCTURED_SINCE = '2025-06-18';

export const knowsStructuredContent = (protocolVersion: string | undefined): boolean =>
  protocolVersion !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(protocolVersion) && protocolVersion >= STRUCTURED_SINCE;

/** One for all tools: their text differs, their outcome does not. */
export const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    state: {
      type: 'string',
      enum: ['ended', 'waiting'],
      description: 'ended: the text is the result. waiting: make the identical call again later.',
    },
    approval_id: { type: 'string', description: 'The question a waiting call waits for.' },
    references: {
      type: 'array',
      items: { type: 'string', pattern: '^ref:[1-9][0-9]*$' },
      description: 'Content that is kept from you; the text says what each one is.',
    },
  },
  required: ['state', 'references'],
  additionalProperties: false,
} as const satisfies Tool['outputSchema'];

export const toResult = (answer: ToolAnswer, structured: boolean): CallToolResult => {
  const content = [{ type: 'text' as const, text: answer.text }];
  if (answer.kind === 'result' && answer.isError) return { content, isError: true };
  return structured ? { content, structuredContent: factsOf(answer) } : { content };
};

const factsOf = (answer: ToolAnswer): Record<string, unknown> =>
  answer.kind === 'waiting'
    ? { state: 'waiting', approval_id: answer.approvalId, references: [] }
    : { state: 'ended', references: answer.references.map((number) => `ref:${number}`) };
