/** VerifyLog and WatchVerification on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService, VerifyLogResponse } from '@bravo/proto/audit';
import type { Verification, VerifyLog } from './verify-log.ts';

export const verifyLogHandler =
  (verifyLog: VerifyLog): Handlers<AuditServiceService>['verifyLog'] =>
  async ({ deep }, { principal }) =>
    toResponse(await verifyLog(principal, { deep }));

/** Progress at most so often: a log is read in batches of some milliseconds. */
const TELL_MS = 200;

export const watchVerificationHandler = (
  verifyLog: VerifyLog,
  sizeOf: (workspaceId: string) => Promise<number>,
): Handlers<AuditServiceService>['watchVerification'] =>
  async function* ({ deep }, { principal }) {
    let checked = 0;
    let done = false;
    let wake: () => void = () => undefined;
    const verifying = verifyLog(principal, { deep, onProgress: (found) => (checked = found) }).finally(() => {
      done = true;
      wake();
    });
    // Whoever stops listening must not leave a rejection nobody hears of.
    verifying.catch(() => undefined);
    const size = await sizeOf(principal.workspaceId);
    while (!done) {
      yield { checked, size, result: undefined };
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TELL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const result = await verifying;
    yield { checked: result.ok ? result.size : checked, size: result.size, result: toResponse(result) };
  };

const toResponse = (verification: Verification): VerifyLogResponse => {
  const { ok, size, checkpoint, firstBadIndex, problem, gaps, verifierKey, first } = verification;
  return {
    ok,
    size,
    checkpointSize: checkpoint?.size ?? 0,
    checkpoint: checkpoint?.note ?? '',
    firstBadIndex,
    problem,
    gaps: [...gaps],
    verifierKey,
    first,
  };
};
