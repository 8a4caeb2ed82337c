/** The routes of the verifiable log. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { nextCursor, pageQuery } from '../routes/shapes.ts';

export const entryView = z.object({
  index: z.int(),
  leaf_hash: z.string().describe('RFC 6962, hex'),
  event_id: z.string(),
  type: z.string(),
  actor: z.string(),
  on_behalf_of: z.string(),
  conversation_id: z.string(),
  producer: z.string(),
  producer_sequence: z.int(),
  time: z.string(),
  recorded_at: z.string(),
  data: z.json(),
});
export type EntryView = z.output<typeof entryView>;

export const verificationView = z.object({
  ok: z.boolean(),
  size: z.int(),
  checkpoint_size: z.int().describe('Entries under the newest signed checkpoint'),
  checkpoint: z.string().describe('C2SP signed note'),
  first_bad_index: z.int().describe('-1 when ok'),
  problem: z.string(),
  gaps: z.array(z.string()),
  verifier_key: z.string(),
});
export type VerificationView = z.output<typeof verificationView>;

const area = 'Audit';

export const LIST_ENTRIES = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit',
  summary: "The log; without the permission audit_read, the trail of one's own conversation",
  area,
  access: 'member',
  query: z.strictObject({
    ...pageQuery,
    conversation: z.string().max(64).optional(),
    actor: z.string().max(100).optional(),
    type: z.string().max(100).optional(),
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
    order: z.enum(['asc', 'desc']).optional().describe('desc where it is absent'),
  }),
  status: 200,
  answer: z.object({ entries: z.array(entryView), next_cursor: nextCursor }),
});

export const VERIFY_LOG = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit/verify',
  summary:
    'Recomputes the log and checks it against its signed checkpoints; for every member, because it tells nothing that was recorded',
  area,
  access: 'member',
  status: 200,
  answer: verificationView,
});
