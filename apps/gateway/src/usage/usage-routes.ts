/** The route of what was used. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

const amounts = {
  input_tokens: z.int(),
  output_tokens: z.int(),
  requests: z.int().describe('Model requests'),
  failed: z.int().describe('Of these, what ended without an answer'),
  cost_usd: z.number().describe('By the price table; models without a price add nothing'),
  credits: z.int().describe('Taken for models'),
  container_seconds: z.number(),
};

const limitView = z.object({
  name: z.string().describe('As in the settings, for example personDailyTokens; money in millionths of a dollar'),
  limit: z.int(),
  used: z.int(),
  reserved: z.int().describe('Held by calls that run now'),
  resets_at: z.string().describe('Empty where it lasts as long as the conversation'),
});

const credits = z.object({
  plan: z.string(),
  unlimited: z.boolean(),
  plan_granted: z.int(),
  plan_used: z.int(),
  trial_granted: z.int(),
  trial_used: z.int(),
  purchased_granted: z.int(),
  purchased_used: z.int(),
  reserved: z.int(),
  resets_at: instant.describe("When the plan's begin anew"),
});

export const usageView = z.object({
  from: instant,
  to: instant,
  total: z.object(amounts),
  by_day: z.array(z.object({ day: z.string().describe('YYYY-MM-DD, UTC'), ...amounts })),
  by_user: z.array(z.object({ user_id: z.string(), ...amounts })),
  by_model: z.array(z.object({ model: z.string(), ...amounts })),
  by_conversation: z.array(z.object({ conversation_id: z.string(), ...amounts })),
  credits: credits.describe("The workspace's"),
  limits: z.array(limitView).describe('Those that are set for the caller, with what is used of each'),
});
export type UsageView = z.output<typeof usageView>;

export const GET_USAGE = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/usage',
  summary:
    "Tokens, money, credits and container time by day, person, model and conversation; everybody's for admins, else one's own",
  area: 'Usage',
  access: 'bravo',
  query: z.strictObject({
    from: z.iso.datetime({ offset: true }).optional().describe('Beginning of this month, UTC, where it is absent'),
    to: z.iso.datetime({ offset: true }).optional().describe('Now, where it is absent'),
  }),
  status: 200,
  answer: usageView,
});
