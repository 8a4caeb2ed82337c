/** VerifyLog on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService } from '@bravo/proto/audit';
import type { VerifyLog } from './verify-log.ts';

export const verifyLogHandler =
  (verifyLog: VerifyLog): Handlers<AuditServiceService>['verifyLog'] =>
  async (_request, { principal }) => {
    const { ok, size, checkpoint, firstBadIndex, problem, gaps, verifierKey } = await verifyLog(principal);
    return {
      ok,
      size,
      checkpointSize: checkpoint?.size ?? 0,
      checkpoint: checkpoint?.note ?? '',
      firstBadIndex,
      problem,
      gaps: [...gaps],
      verifierKey,
    };
  };
