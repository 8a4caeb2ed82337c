/** A log that does not verify is told to whoever must look, whoever asked; what is found is given back as it is. */
import type { VerifyLog } from '../trail/verify-log.ts';
import type { Alerts } from './alerts.port.ts';

/** `onFailure`: the alert could not be kept; the answer goes out all the same. */
export const alertUnverified =
  (verifyLog: VerifyLog, alerts: Pick<Alerts, 'raise'>, onFailure: (error: unknown) => void): VerifyLog =>
  async (principal, options) => {
    const found = await verifyLog(principal, options);
    if (!found.ok) {
      const { workspaceId } = principal;
      const subject = `${workspaceId} ${found.firstBadIndex} ${found.problem}`.slice(0, 500);
      await alerts.raise({ kind: 'verify', subject, workspaceId, detail: found.problem }).catch(onFailure);
    }
    return found;
  };
