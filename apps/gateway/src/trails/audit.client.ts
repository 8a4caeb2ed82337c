/** The verifiable log over gRPC. */
import type { GrpcClient } from '@bravo/chassis';
import type * as proto from '@bravo/proto/audit';
import { textOfInstant } from '../routes/shapes.ts';
import type { Trail } from './read-trail.ts';
import type { EntryView } from './trail-routes.ts';

export type AuditClient = GrpcClient<typeof proto.AuditServiceService>;

/** Recomputing a long log takes its time. */
const VERIFY_TIMEOUT_MS = 60_000;

export const createTrail = (client: AuditClient): Trail => ({
  listEntries: async (subject, { limit, cursor }, filter) => {
    const request = { ...filter, page: { limit: limit ?? 0, cursor: cursor ?? '' } };
    const answer = await client.listEntries(request, { subject });
    return { entries: answer.entries.map(toEntry), nextCursor: answer.page?.nextCursor ?? '' };
  },
  verifyLog: async (subject) => {
    const answer = await client.verifyLog({}, { subject, timeoutMs: VERIFY_TIMEOUT_MS });
    return {
      ok: answer.ok,
      size: answer.size,
      checkpoint_size: answer.checkpointSize,
      checkpoint: answer.checkpoint,
      first_bad_index: answer.firstBadIndex,
      problem: answer.problem,
      gaps: answer.gaps,
      verifier_key: answer.verifierKey,
    };
  },
});

const toEntry = (entry: proto.Entry): EntryView => ({
  index: entry.index,
  leaf_hash: entry.leafHash,
  event_id: entry.eventId,
  type: entry.type,
  actor: entry.actor,
  on_behalf_of: entry.onBehalfOf,
  conversation_id: entry.conversationId,
  producer: entry.producer,
  producer_sequence: entry.producerSequence,
  time: textOfInstant(entry.time),
  recorded_at: textOfInstant(entry.recordedAt),
  data: toData(entry.dataJson),
});

const toData = (text: string): EntryView['data'] => {
  try {
    return JSON.parse(text) as EntryView['data'];
  } catch {
    return text;
  }
};
