/** What the trail keeps and is asked, over gRPC. */
import type * as proto from '@bravo/proto/audit';
import { textOfInstant } from '../routes/shapes.ts';
import { type AuditClient, toEntry } from './audit.client.ts';
import type { HoldView, SeerView } from './trail-keeping-routes.ts';
import type { TrailKeeping } from './trail-keeping.ts';

export const createTrailKeeping = (client: AuditClient): TrailKeeping => ({
  async retention(subject) {
    const { inForce, own, least, first, holds } = await client.getRetention({}, { subject });
    return { ...spelled(inForce), own, least, first, holds: holds.map(toHold) };
  },
  putRetention: async (subject, policy) =>
    spelled((await client.putRetention({ retention: policy }, { subject })).inForce),
  placeHold: async (subject, hold) => toHold((await client.placeHold(hold, { subject })).hold),
  liftHold: async (subject, holdId, reason) => toHold((await client.liftHold({ holdId, reason }, { subject })).hold),
  async ask(subject, { limit, cursor }, question) {
    const page = { limit: limit ?? 0, cursor: cursor ?? '' };
    const { entries, seers, page: next } = await client.askTrail({ ...question, page }, { subject });
    return { entries: entries.map(toEntry), seers: seers as SeerView[], nextCursor: next?.nextCursor ?? '' };
  },
  async rejections(subject) {
    const { rejections } = await client.listRejections({}, { subject });
    return rejections.map(({ subject: about, bodyDigest, recordedAt, ...rest }) => ({
      ...rest,
      subject: about,
      body_digest: bodyDigest,
      recorded_at: textOfInstant(recordedAt),
    }));
  },
  retryRejection: async (subject, id) => (await client.retryRejection({ id }, { subject })).outcome,
});

const spelled = (policy: proto.Retention | undefined) => ({ rows: policy?.rows ?? '', content: policy?.content ?? '' });

const toHold = (hold: proto.Hold | undefined): HoldView => {
  if (!hold) throw new Error('audit answered without the hold');
  return {
    id: hold.holdId,
    scope: hold.scope as HoldView['scope'],
    subject: hold.subject,
    reason: hold.reason,
    placed_by: hold.placedBy,
    placed_at: textOfInstant(hold.placedAt),
    protects_from: hold.protectsFrom,
    lifted_by: hold.liftedBy,
    lifted_at: textOfInstant(hold.liftedAt),
    lift_reason: hold.liftReason,
  };
};
