/** A message as the API shows it. */
import { z } from 'zod';
import { approvalView } from '../approvals/approval-view.ts';
import { instant } from '../routes/shapes.ts';

export const usageView = z.object({ input_tokens: z.int(), output_tokens: z.int() });

export const messageView = z.object({
  id: z.string(),
  conversation_id: z.string(),
  turn_id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  content: z.string(),
  status: z.enum(['complete', 'streaming', 'cancelled', 'failed', 'interrupted']),
  usage: usageView.nullable(),
  created_at: instant,
  error_code: z.string().describe('Why it failed or was interrupted, else empty'),
});
export type MessageView = z.output<typeof messageView>;

/** A message with the answer of its turn. */
export const exchangeView = z.object({
  turn_id: z.string(),
  user_message: messageView,
  assistant_message: messageView,
  approvals: z
    .array(approvalView.pick({ tool_call_id: true, tool: true, expires_at: true }).extend({ approval_id: z.string() }))
    .describe(
      'Questions of the conversation that wait for an answer; the work goes on in a new turn once they are answered',
    ),
});
export type ExchangeView = z.output<typeof exchangeView>;
