/** A question and its answer as the API shows them. */
import { z } from 'zod';
import { instant } from '../routes/shapes.ts';

export const askView = z.object({ code: z.string(), text: z.string() });

export const approvalView = z.object({
  id: z.string(),
  tool_call_id: z.string(),
  conversation_id: z.string(),
  tool: z.string(),
  input: z.json(),
  why: z.string(),
  status: z
    .string()
    .describe('pending, approved, denied, expired, superseded, executing, done, failed or outcome_unknown'),
  asks: z.array(askView).describe('Why a person must decide'),
  trust_output_offered: z.boolean().describe('Whether the output may be let through to @bravo'),
  grant_scope: z
    .record(z.string(), z.json())
    .nullable()
    .describe('What a grant given with the yes would cover; null where none is offered'),
  call_digest: z.string().describe('SHA-256 over the exact call that is decided'),
  created_at: instant,
  expires_at: instant,
  decided_by: z.string(),
  decided_at: z.string(),
});
export type ApprovalView = z.output<typeof approvalView>;
