/** The routes of what @bravo did in a conversation, and of the bytes only its person may see. */
import { z } from 'zod';
import { approvalView, askView } from '../approvals/approval-view.ts';
import { defineRoute } from '../routes/route.ts';
import { instant, label } from '../routes/shapes.ts';

export const slotRefView = z.object({
  number: z.int(),
  origin: z.string().describe("The broker's words"),
  name: z.string().describe('Chosen by the content (a file a program wrote): shown, never believed'),
  lines: z.int(),
  bytes: z.int(),
  kind: z.string(),
  label,
});

export const toolCallView = z.object({
  id: z.string(),
  conversation_id: z.string(),
  tool: z.string(),
  input: z.json(),
  why: z.string(),
  status: z
    .string()
    .describe('running, needs_approval, completed, failed, denied, refused, expired or outcome_unknown'),
  output: z.string().describe('What @bravo was given'),
  refs: z.array(slotRefView).describe('Content @bravo was not given'),
  label,
  duration_ms: z.int(),
  created_at: instant,
  approval: approvalView.nullable(),
  reasons: z.array(askView),
  step_up: z
    .object({
      required_mode: z.string(),
      grant_scope: z.record(z.string(), z.json()).nullable().describe('What a grant for exactly this call would cover'),
    })
    .nullable()
    .describe('Set where only the mode stood in the way and nothing was granted since'),
  plan: z.json().describe('Of a command line: the plan it was compiled to, steps and connectors; null otherwise'),
  steps: z.json().describe('Of a command line that has ended: how each step did; null otherwise'),
});
export type ToolCallView = z.output<typeof toolCallView>;

export const slotView = z.object({
  slot: slotRefView,
  text: z.string().describe('The bytes as UTF-8, undecodable ones replaced'),
  content_base64: z.string().describe('The exact bytes'),
});
export type SlotView = z.output<typeof slotView>;

const area = 'Tool calls';
const root = '/api/v1/:ws/bravo/conversations/:cid';

export const LIST_TOOL_CALLS = defineRoute({
  method: 'GET',
  path: `${root}/tool-calls`,
  summary: 'The newest 200 tool calls, oldest first',
  area,
  access: 'bravo',
  status: 200,
  answer: z.object({ tool_calls: z.array(toolCallView) }),
});

export const READ_SLOT = defineRoute({
  method: 'GET',
  path: `${root}/slots/:n`,
  summary: 'Shows the person content that @bravo knows only as a reference',
  area,
  access: 'bravo',
  status: 200,
  answer: slotView,
});
