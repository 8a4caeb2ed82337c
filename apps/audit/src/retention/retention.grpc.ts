/** Retention and holds on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService, Hold as HoldMessage } from '@bravo/proto/audit';
import type { Hold } from './retention.port.ts';
import type { KeepTrail } from './retention.ts';

type Wanted = Pick<Handlers<AuditServiceService>, 'getRetention' | 'putRetention' | 'placeHold' | 'liftHold'>;

export const retentionHandlers = (keep: KeepTrail): Wanted => ({
  getRetention: async (_request, { principal }) => {
    const { holds, ...view } = await keep.get(principal);
    return { ...view, holds: holds.map(toMessage) };
  },
  putRetention: async ({ retention }, { principal }) => ({
    inForce: await keep.put(principal, { rows: retention?.rows ?? '', content: retention?.content ?? '' }),
  }),
  placeHold: async (request, { principal }) => ({ hold: toMessage(await keep.place(principal, request)) }),
  liftHold: async ({ holdId, reason }, { principal }) => ({
    hold: toMessage(await keep.lift(principal, holdId, reason)),
  }),
});

const toMessage = ({ lifted, ...hold }: Hold): HoldMessage => ({
  ...hold,
  liftedBy: lifted?.by ?? '',
  liftedAt: lifted?.at,
  liftReason: lifted?.reason ?? '',
});
