/** The route that shows what would be decided of a call. */
import { z } from 'zod';
import { askView } from '../approvals/approval-view.ts';
import { defineRoute } from '../routes/route.ts';

export const explanationView = z.object({
  effect: z.string().describe('allow, ask or deny'),
  step: z.string().describe('The step that decided'),
  reasons: z.array(askView),
  rule: z.string().describe('The rule that decided, as written; empty where none did'),
  layer: z.string().describe('The settings layer it is from'),
  steps: z.array(
    z.object({
      step: z.string(),
      outcome: z.string().describe('passed, asks, decided or not_reached'),
      reasons: z.array(askView),
    }),
  ),
  advice: z.array(z.string()).describe('What would change the answer'),
  policy_version: z.string(),
  plan: z.json().describe('Of a command line: the plan it was compiled to; null otherwise'),
});
export type ExplanationView = z.output<typeof explanationView>;

export const EXPLAIN_CALL = defineRoute({
  method: 'POST',
  path: '/api/v1/:ws/bravo/explain',
  summary: 'What would be decided of a call, step by step; nothing happens and nothing is recorded',
  area: 'Tool calls',
  access: 'bravo',
  body: z.strictObject({
    tool: z.string().min(1).max(128),
    input: z.record(z.string(), z.json()),
    conversation: z.string().max(64).optional().describe('Left out: as in a conversation that begins now'),
  }),
  status: 200,
  answer: explanationView,
});
