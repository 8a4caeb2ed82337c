/** The routes of questions: the inbox and the two answers. */
import { z } from 'zod';
import { ttlSeconds } from '../grants/grant-routes.ts';
import { defineRoute } from '../routes/route.ts';
import { approvalView, previewView } from './approval-view.ts';

const area = 'Approvals';
const answer = '/api/v1/:ws/bravo/conversations/:cid/tool-calls/:tcid';
const DECIDE = 'approvals:decide';

const questionAnswer = z.strictObject({
  question: z.int().min(1).max(4).describe('Number of the question, as drawn'),
  options: z.array(z.int().min(1).max(10)).max(10).optional().describe('Numbers of the options chosen, from 1'),
  words: z.string().max(4_000).optional().describe('In own words'),
  skip: z.literal(true).optional().describe('No answer, which @bravo goes on without'),
});

export type GivenAnswer = z.output<typeof questionAnswer>;

export const LIST_APPROVALS = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/approvals',
  summary: 'Every question the person may answer now',
  area,
  access: 'bravo',
  status: 200,
  answer: z.object({ approvals: z.array(approvalView) }),
});

export const GET_PREVIEW = defineRoute({
  method: 'GET',
  path: `${answer}/preview`,
  summary: 'The call of a question as the person is shown it',
  area,
  access: 'bravo',
  status: 200,
  answer: previewView,
});

export const APPROVE = defineRoute({
  method: 'POST',
  path: `${answer}/approve`,
  summary: 'Approves exactly this call, once',
  area,
  access: 'bravo',
  needs: DECIDE,
  body: z.strictObject({
    trust_output: z.boolean().optional().describe('Also let @bravo read what comes out, where that is offered'),
    grant: z
      .strictObject({ ttl_seconds: ttlSeconds })
      .optional()
      .describe('Also grant the identical call for a while, where that is offered'),
    remember: z
      .literal(true)
      .optional()
      .describe('Also write the rule that is offered into your own settings, and grant it here for 8 hours'),
    answers: z
      .array(questionAnswer)
      .max(4)
      .optional()
      .describe('To a call that only asks: one for each question that is drawn'),
  }),
  status: 200,
  answer: approvalView.extend({
    grant_id: z.string().optional().describe('The grant given with it'),
    remembered: z
      .object({ rule: z.string(), problem: z.string().describe('Why it could not be written; else empty') })
      .optional(),
  }),
});

export const DENY = defineRoute({
  method: 'POST',
  path: `${answer}/deny`,
  summary: 'Refuses exactly this call',
  area,
  access: 'bravo',
  needs: DECIDE,
  body: z.strictObject({}),
  status: 200,
  answer: approvalView,
});
