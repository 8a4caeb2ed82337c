/** The routes of what the trail keeps, what it is asked again and again, and what it could not take. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { nextCursor, pageQuery } from '../routes/shapes.ts';
import { area, entryView } from './trail-routes.ts';

const span = z
  .string()
  .regex(
    /^(forever|[1-9]\d{0,6}[smhd])$/,
    'Must be a time such as 400d, 12h or 90s, or the word forever; never nothing and never zero',
  );
const reason = z.string().trim().min(1).max(500);

export const retentionBody = z.strictObject({
  rows: span.describe('How long rows of the trail are kept'),
  content: span.describe('How long after its key seals no more sealed content can be opened'),
});
export type RetentionBody = z.output<typeof retentionBody>;

export const holdView = z.object({
  id: z.string(),
  scope: z.enum(['workspace', 'person', 'conversation']),
  subject: z.string().describe('Id of the person or conversation; empty for the workspace'),
  reason: z.string(),
  placed_by: z.string(),
  placed_at: z.string(),
  protects_from: z.int().describe('Nothing from this entry on is pruned while it stands'),
  lifted_by: z.string().describe('Empty while it stands'),
  lifted_at: z.string(),
  lift_reason: z.string(),
});
export type HoldView = z.output<typeof holdView>;

export const retentionView = z.object({
  ...retentionBody.shape,
  own: z.boolean().describe("False where the operator's holds"),
  least: z.string().describe('The shortest time that may be chosen'),
  first: z.int().describe('The first entry that is still there'),
  holds: z.array(holdView),
});
export type RetentionView = z.output<typeof retentionView>;

const route = { area, access: 'member', needs: 'audit_read', status: 200 } as const;

export const GET_RETENTION = defineRoute({
  ...route,
  method: 'GET',
  path: '/api/v1/:ws/audit/retention',
  summary: 'What is kept for how long, where the trail begins, and every legal hold',
  answer: retentionView,
});

export const PUT_RETENTION = defineRoute({
  ...route,
  method: 'PUT',
  path: '/api/v1/:ws/audit/retention',
  summary: 'Says what is kept for how long, for whoever also manages members; it is an entry of the trail',
  body: retentionBody,
  answer: retentionBody,
});

export const PLACE_HOLD = defineRoute({
  ...route,
  method: 'POST',
  path: '/api/v1/:ws/audit/holds',
  summary:
    'Places a legal hold over the workspace, a person or a conversation: it beats every policy and every erasure',
  body: z.strictObject({
    reason,
    person: z.string().min(1).max(64).optional(),
    conversation: z.string().min(1).max(64).optional(),
  }),
  status: 201,
  answer: holdView,
});

export const LIFT_HOLD = defineRoute({
  ...route,
  method: 'POST',
  path: '/api/v1/:ws/audit/holds/:hid/lift',
  summary: 'Lifts a legal hold; who did and why is an entry of the trail',
  body: z.strictObject({ reason }),
  answer: holdView,
});

export const QUESTIONS = ['slot', 'grant', 'approvals', 'story'] as const;

export const seerView = z.object({
  who: z.string(),
  how: z.enum(['owner', 'released', 'opened']),
  index: z.int().describe('The entry that says so'),
});
export type SeerView = z.output<typeof seerView>;

export const ASK_TRAIL = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit/questions',
  summary:
    "A question asked before: who could have seen a slot, all that was done under a grant, a person's answers and what they caused, or a conversation's story; about others with audit_read, and then on record",
  area,
  access: 'member',
  query: z.strictObject({
    ...pageQuery,
    question: z.enum(QUESTIONS),
    conversation: z.string().max(64).optional().describe('Of slot and story'),
    slot: z.coerce.number().int().min(1).max(1_000_000).optional(),
    grant: z.string().max(64).optional(),
    person: z.string().max(64).optional().describe("Of approvals: the person's id"),
  }),
  status: 200,
  answer: z.object({ entries: z.array(entryView), seers: z.array(seerView), next_cursor: nextCursor }),
});

export const rejectionView = z.object({
  id: z.int(),
  subject: z.string(),
  body_digest: z.string(),
  reason: z.string(),
  recorded_at: z.string(),
  kept: z.boolean().describe('Whether it can be tried again'),
  outcome: z.string().describe('Of the last try; empty where there was none'),
});
export type RejectionView = z.output<typeof rejectionView>;

export const LIST_REJECTIONS = defineRoute({
  ...route,
  method: 'GET',
  path: '/api/v1/:ws/audit/rejections',
  summary: 'Messages that named this workspace and that no log could take, with the reason',
  answer: z.object({ rejections: z.array(rejectionView) }),
});

export const RETRY_REJECTION = defineRoute({
  ...route,
  method: 'POST',
  path: '/api/v1/:ws/audit/rejections/:rid/retry',
  summary: 'Tries such a message again, for whoever also manages members; it is judged as any delivery',
  answer: z.object({ outcome: z.string() }),
});
