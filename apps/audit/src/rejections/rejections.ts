/** Shows what no log could take and tries it again. Guarantees that a try is judged exactly as a delivery is: what was no event before and is none now must never get into a log. */
import type { Principal } from '@bravo/chassis';
import { userActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import type { RecordEvents } from '../trail/record-event.ts';
import { requireAuditRead } from '../trail/require-person.ts';
import type { Rejection, Rejections } from './rejections.port.ts';

export interface RetryRejections {
  list(principal: Principal): Promise<readonly Rejection[]>;
  /** @returns recorded, known, or "rejected: " with the reason. */
  retry(principal: Principal, id: number): Promise<string>;
}

const LIMIT = 100;

export const createRetryRejections = (ports: {
  readonly rejections: Rejections;
  readonly recordEvents: RecordEvents;
}): RetryRejections => ({
  list(principal) {
    requireAuditRead(principal);
    return ports.rejections.list(principal.workspaceId, LIMIT);
  },

  async retry(principal, id) {
    requireAuditRead(principal);
    if (!principal.permissions.includes('manage_members'))
      throw new Fault('permission_denied', 'Trying a message again needs the permission manage_members.');
    const found =
      Number.isSafeInteger(id) && id > 0 ? await ports.rejections.find(principal.workspaceId, id) : undefined;
    if (!found) throw new Fault('not_found', 'There is no such message.');
    if (found.body === '')
      throw new Fault('conflict', 'Only the digest of that message was kept: it cannot be tried again.');
    const [outcome] = await ports.recordEvents([
      { subject: found.subject, body: found.body, sequence: found.streamSequence },
    ]);
    const told = outcome?.kind === 'rejected' ? `rejected: ${outcome.reason}` : (outcome?.kind ?? '');
    await ports.rejections.addRetry(principal.workspaceId, id, told, userActor(principal.userId));
    return told;
  },
});
