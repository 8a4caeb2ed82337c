/** AskTrail on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService } from '@bravo/proto/audit';
import { toMessage } from '../trail/list-entries.grpc.ts';
import type { AskTrail } from './ask-trail.ts';

export const askTrailHandler =
  (askTrail: AskTrail): Handlers<AuditServiceService>['askTrail'] =>
  async ({ page, ...question }, { principal }) => {
    const asked = { ...question, limit: page?.limit ?? 0, cursor: page?.cursor ?? '' };
    const { entries, nextCursor, seers } = await askTrail(principal, asked);
    return { entries: entries.map(toMessage), page: { nextCursor }, seers: [...seers] };
  };
