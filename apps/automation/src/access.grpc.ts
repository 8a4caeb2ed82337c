/** Which services may call which method of automation. A method without a row is answered to nobody. */
import type { AccessTable } from '@bravo/chassis';
import type { AutomationServiceService } from '@bravo/proto/automation';

export const AUTOMATION_ACCESS: AccessTable<typeof AutomationServiceService> = {
  listActivity: ['gateway'],
  listNotifications: ['gateway'],
  markRead: ['gateway'],
  getPreferences: ['gateway'],
  putPreferences: ['gateway'],
};
