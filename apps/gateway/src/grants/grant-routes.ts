/** The routes of session grants: given, listed and revoked by their person, and given in answer to a step-up. */
import { LIMITS } from '@bravo/policy';
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

const area = 'Grants';
const base = '/api/v1/:ws/bravo/conversations/:cid';
/** A grant is an answer given beforehand, so it takes the same right. */
const DECIDE = 'approvals:decide';

const { value: longest, default: usual } = LIMITS['grant-ttl'];
/** Bounds are said by whoever keeps grants, which every way in meets. */
export const ttlSeconds = z
  .int()
  .min(1)
  .max(longest)
  .optional()
  .describe(`How long it lives: at most ${longest} seconds, ${usual} where left out`);

export const grantView = z.object({
  id: z.string(),
  conversation_id: z.string(),
  tool: z.string(),
  scope: z
    .record(z.string(), z.json())
    .describe('Arguments and the exact values granted; of a place in the workspace, where it leads'),
  source: z.string().describe('person, approval or step_up: what gave it'),
  tool_call_id: z.string().describe('The call whose answer gave it; else empty'),
  created_at: instant,
  expires_at: instant,
});
export type GrantView = z.output<typeof grantView>;

export const CREATE_GRANT = defineRoute({
  method: 'POST',
  path: `${base}/grants`,
  summary: 'Grants one tool within an exact scope, for a while and at most until the conversation ends',
  area,
  access: 'bravo',
  needs: DECIDE,
  body: z.strictObject({
    tool: z.string().min(1).max(128),
    scope: z
      .record(z.string().min(1).max(64), z.json())
      .describe('Routing arguments with the exact values; every one the tool cannot do without'),
    ttl_seconds: ttlSeconds,
  }),
  status: 201,
  answer: grantView,
});

export const LIST_GRANTS = defineRoute({
  method: 'GET',
  path: `${base}/grants`,
  summary: 'The live grants of the conversation, oldest first',
  area,
  access: 'bravo',
  status: 200,
  answer: z.object({ grants: z.array(grantView) }),
});

export const REVOKE_GRANT = defineRoute({
  method: 'DELETE',
  path: `${base}/grants/:gid`,
  summary: 'Ends a grant; the next call is asked about again',
  area,
  access: 'bravo',
  needs: DECIDE,
  status: 204,
});

export const ANSWER_STEP_UP = defineRoute({
  method: 'POST',
  path: `${base}/tool-calls/:tcid/step-up`,
  summary: 'Grants exactly the call that only the mode stood in the way of; the mode stays as it is',
  area,
  access: 'bravo',
  needs: DECIDE,
  body: z.strictObject({ ttl_seconds: ttlSeconds }),
  status: 201,
  answer: grantView,
});
