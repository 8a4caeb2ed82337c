/** ListAlerts on the wire: for whoever may read the whole trail. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService } from '@bravo/proto/audit';
import { requireAuditRead } from '../trail/require-person.ts';
import type { Alerts } from './alerts.port.ts';

const LIMIT = 100;

export const listAlertsHandler =
  (alerts: Pick<Alerts, 'list'>): Handlers<AuditServiceService>['listAlerts'] =>
  async (_request, { principal }) => {
    requireAuditRead(principal);
    const found = await alerts.list(principal.workspaceId, LIMIT);
    return {
      alerts: found.map(({ id, kind, subject, detail, raisedAt }) => ({ id, kind, subject, detail, raisedAt })),
    };
  };
