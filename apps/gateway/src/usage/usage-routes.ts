/** The route of what was used. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

const amounts = {
  input_tokens: z.int(),
  output_tokens: z.int(),
  requests: z.int().describe('Model requests'),
  container_seconds: z.number(),
};

export const usageView = z.object({
  from: instant,
  to: instant,
  total: z.object(amounts),
  by_day: z.array(z.object({ day: z.string().describe('YYYY-MM-DD, UTC'), ...amounts })),
  by_user: z.array(z.object({ user_id: z.string(), ...amounts })),
});
export type UsageView = z.output<typeof usageView>;

export const GET_USAGE = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/usage',
  summary: "Tokens and container time by day and by person; everybody's for admins, else one's own",
  area: 'Usage',
  access: 'bravo',
  query: z.strictObject({
    from: z.iso.datetime({ offset: true }).optional().describe('Beginning of this month, UTC, where it is absent'),
    to: z.iso.datetime({ offset: true }).optional().describe('Now, where it is absent'),
  }),
  status: 200,
  answer: usageView,
});
