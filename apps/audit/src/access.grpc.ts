/** Which services may call which method of audit. A method without a row is answered to nobody. */
import type { AccessTable } from '@bravo/chassis';
import type { AuditServiceService } from '@bravo/proto/audit';

export const AUDIT_ACCESS: AccessTable<AuditServiceService> = {
  listEntries: ['gateway'],
  verifyLog: ['gateway'],
  watchVerification: ['gateway'],
  getCheckpoint: ['gateway'],
  exportEntries: ['gateway'],
  listAlerts: ['gateway'],
  getSealingKey: ['broker'],
  openContent: ['gateway'],
  erasePerson: ['gateway'],
  getRetention: ['gateway'],
  putRetention: ['gateway'],
  placeHold: ['gateway'],
  liftHold: ['gateway'],
  askTrail: ['gateway'],
  listRejections: ['gateway'],
  retryRejection: ['gateway'],
  listDestinations: ['gateway'],
  putDestination: ['gateway'],
  removeDestination: ['gateway'],
};
