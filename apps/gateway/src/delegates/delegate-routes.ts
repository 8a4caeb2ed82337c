/** The route of a conversation's delegates. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

export const delegateView = z.object({
  conversation_id: z.string().describe('The conversation it works in, which can be read like any other'),
  parent_conversation_id: z.string(),
  root_conversation_id: z.string(),
  name: z.string().describe('d1, and d1.2 for the second delegate of d1'),
  kind: z.string().describe('reader, checker, worker, or the name of a definition'),
  task: z.string().describe('The whole of what it was told'),
  depth: z.int().describe("1 directly below the person's conversation"),
  state: z
    .string()
    .describe(
      'queued, running, waiting (for a person or its own delegates), completed, failed, cancelled or interrupted',
    ),
  created_at: instant,
  finished_at: z.string().describe('Empty while it is at work'),
  usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }),
  tool_call_id: z.string().describe('The call that started it'),
});
export type DelegateView = z.output<typeof delegateView>;

export const LIST_DELEGATES = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/conversations/:cid/delegates',
  summary: 'Every delegate below a conversation, in the order they were started; their cost is its own',
  area: 'Conversations',
  access: 'bravo',
  status: 200,
  answer: z.object({
    delegates: z.array(delegateView),
    usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }).describe('Of all of them together'),
  }),
});
