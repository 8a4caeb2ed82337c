/** The verifiable log over gRPC. */
import type { GrpcClient } from '@bravo/chassis';
import type * as proto from '@bravo/proto/audit';
import { textOfInstant } from '../routes/shapes.ts';
import type { Trail } from './read-trail.ts';
import type { EntryView, VerificationView } from './trail-routes.ts';

export type AuditClient = GrpcClient<typeof proto.AuditServiceService>;

/** Recomputing a long log takes its time. */
const VERIFY_TIMEOUT_MS = 60_000;

export const createTrail = (client: AuditClient): Trail => ({
  listEntries: async (subject, { limit, cursor }, filter) => {
    const request = { ...filter, page: { limit: limit ?? 0, cursor: cursor ?? '' } };
    const answer = await client.listEntries(request, { subject });
    return { entries: answer.entries.map(toEntry), nextCursor: answer.page?.nextCursor ?? '' };
  },
  verifyLog: async (subject, deep) =>
    toVerification(await client.verifyLog({ deep }, { subject, timeoutMs: VERIFY_TIMEOUT_MS })),
  async *watchVerification(subject, deep, signal) {
    for await (const { checked, size, result } of client.watchVerification({ deep }, { subject, signal }))
      yield { checked, size, result: result && toVerification(result) };
  },
  getCheckpoint: async (subject, asked) => {
    const answer = await client.getCheckpoint(asked, { subject });
    return {
      checkpoint: answer.checkpoint,
      size: answer.size,
      verifier_keys: answer.verifierKeys,
      consistency: answer.consistency.map(toProof),
      inclusion: answer.inclusion.map(toProof),
    };
  },
  async *exportEntries(subject, { format, older, filter }, signal) {
    const request = { format, older, filter: { ...filter, page: undefined } };
    for await (const { text } of client.exportEntries(request, { subject, signal })) yield text;
  },
  openContent: async (subject, toolCallId) => {
    const { inputJson, outputJson, erased } = await client.openContent({ toolCallId }, { subject });
    return { input: inputJson, output: outputJson, erased };
  },
  erasePerson: async (subject, userId, reason) => (await client.erasePerson({ userId, reason }, { subject })).keys,
  listAlerts: async (subject) => {
    const { alerts } = await client.listAlerts({}, { subject });
    return alerts.map(({ id, kind, subject: about, detail, raisedAt }) => ({
      id,
      kind,
      subject: about,
      detail,
      raised_at: textOfInstant(raisedAt),
    }));
  },
});

const toVerification = (answer: proto.VerifyLogResponse): VerificationView => ({
  ok: answer.ok,
  size: answer.size,
  checkpoint_size: answer.checkpointSize,
  checkpoint: answer.checkpoint,
  first_bad_index: answer.firstBadIndex,
  problem: answer.problem,
  gaps: answer.gaps,
  verifier_key: answer.verifierKey,
  first: answer.first,
});

const toProof = ({ of, hashes, leafHash }: proto.Proof) => ({ of, hashes, leaf_hash: leafHash });

export const toEntry = (entry: proto.Entry): EntryView => ({
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
