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
  first: z.int().describe('The first entry that is kept: those before were pruned, which a signed stub says'),
});
export type VerificationView = z.output<typeof verificationView>;

export const area = 'Audit';

const word = z.string().min(1).max(256).optional();

/** Every filter narrows; what is absent is not asked about. */
const filters = {
  conversation: z.string().max(64).optional(),
  actor: z.string().max(100).optional().describe('user:<id>, bravo:<id of the user it acts for> or service:<name>'),
  on_behalf_of: word.describe('Id of the person the actor acts for'),
  type: z.string().max(100).optional(),
  tool: word,
  tool_call: word.describe('Id of a tool call: everything that came of it'),
  decision: z.enum(['allow', 'ask', 'deny']).optional(),
  rule: word,
  resource: word.describe('An id that the event names: an approval, grant, token, pod, execution …'),
  text: z.string().min(1).max(200).optional().describe('Words of the recorded event, exactly as they stand there'),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
};

/** "3,10": sizes or indexes. */
const numbers = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, 'Must be numbers separated by commas, at most 100')
  .optional();

export const LIST_ENTRIES = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit',
  summary: "The log; without the permission audit_read, the trail of one's own conversation",
  area,
  access: 'member',
  query: z.strictObject({
    ...pageQuery,
    ...filters,
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
  query: z.strictObject({
    deep: z.stringbool().optional().describe('Whether the columns beside the recorded bytes are compared, too'),
  }),
  status: 200,
  answer: verificationView,
  alsoAnswers: ['text/event-stream'],
});

const proofView = z.object({ of: z.int(), hashes: z.array(z.string()), leaf_hash: z.string() });

export const checkpointView = z.object({
  checkpoint: z
    .string()
    .describe('C2SP signed note with the signatures of witnesses; empty where nothing is signed yet'),
  size: z.int(),
  verifier_keys: z.array(z.string()).describe('The current key first'),
  consistency: z.array(proofView).describe('RFC 6962, base64'),
  inclusion: z.array(proofView),
});
export type CheckpointView = z.output<typeof checkpointView>;

export const GET_CHECKPOINT = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit/checkpoint',
  summary: 'The newest signed checkpoint, and proofs against it: it tells sizes and hashes alone',
  area,
  access: 'member',
  query: z.strictObject({
    older: numbers.describe('Sizes of checkpoints kept before: each gets a proof that the log extends it'),
    index: numbers.describe('Entries whose inclusion is to be proven'),
  }),
  status: 200,
  answer: checkpointView,
});

export const EXPORT_FORMATS = ['jsonl', 'csv', 'cloudevents', 'ocsf', 'cef'] as const;

export const EXPORT_ENTRIES = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit/export',
  summary:
    'What the newest checkpoint covers, each entry with index, leaf hash and proof; bravo-verify reads it offline',
  area,
  access: 'member',
  needs: 'audit_read',
  query: z.strictObject({ format: z.enum(EXPORT_FORMATS).optional(), older: numbers, ...filters }),
  status: 200,
  alsoAnswers: ['application/jsonl', 'text/csv', 'text/plain'],
});

export const alertView = z.object({
  id: z.int(),
  kind: z.string(),
  subject: z.string(),
  detail: z.string(),
  raised_at: z.string(),
});
export type AlertView = z.output<typeof alertView>;

export const LIST_ALERTS = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit/alerts',
  summary:
    'What an operator must look at: events that never came, logs that cannot be signed, places that take nothing',
  area,
  access: 'member',
  needs: 'audit_read',
  status: 200,
  answer: z.object({ alerts: z.array(alertView) }),
});

export const contentView = z.object({
  input: z.json().describe('What the call was given; null where it cannot be opened'),
  output: z.json().describe('What it gave: the text, and each reference with its bytes in base64'),
  erased: z.boolean(),
});

export const OPEN_CONTENT = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/audit/tool-calls/:tcid/content',
  summary: 'What a tool call was given and gave, opened; that somebody looked is recorded first',
  area,
  access: 'member',
  needs: 'audit_read',
  status: 200,
  answer: contentView,
});

export const ERASE_PERSON = defineRoute({
  method: 'POST',
  path: '/api/v1/:ws/audit/people/:uid/erase',
  summary: "Destroys the keys of a person's sealed content: the rows stay and verify, their content is gone for good",
  area,
  access: 'member',
  needs: 'audit_read',
  body: z.strictObject({ reason: z.string().min(1).max(500) }),
  status: 200,
  answer: z.object({ keys: z.int() }),
});
