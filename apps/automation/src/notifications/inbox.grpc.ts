/** The inbox on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { AutomationServiceService } from '@bravo/proto/automation';
import type { Preferences } from '../preferences/preferences.ts';
import type { Inbox } from './inbox.ts';

export const inboxHandlers = (inbox: Inbox, emailOffered: boolean): Handlers<typeof AutomationServiceService> => ({
  listActivity: async ({ page }, { principal }) => {
    const { rows, nextCursor } = await inbox.activities(principal, {
      limit: page?.limit ?? 0,
      cursor: page?.cursor ?? '',
    });
    return { activities: rows.map((row) => ({ ...row, id: String(row.id) })), page: { nextCursor } };
  },
  listNotifications: async ({ page, unreadOnly }, { principal }) => {
    const asked = { limit: page?.limit ?? 0, cursor: page?.cursor ?? '' };
    const { rows, nextCursor, unread } = await inbox.notifications(principal, asked, unreadOnly);
    return { notifications: rows.map((row) => ({ ...row, id: String(row.id) })), page: { nextCursor }, unread };
  },
  markRead: async ({ ids, all }, { principal }) => ({ unread: await inbox.markRead(principal, ids, all) }),
  getPreferences: async (_request, { principal }) => ({
    preferences: toMessage(await inbox.preferences(principal)),
    emailOffered,
    webhookProblem: await inbox.webhookProblem(principal),
  }),
  putPreferences: async ({ preferences }, { principal }) => {
    const { email = [], digest = '', quietFrom = '', quietTo = '', timeZone = '' } = preferences ?? {};
    const { webhook = '', webhookKinds = [] } = preferences ?? {};
    const given = { email, digest, quietFrom, quietTo, timeZone, webhook, webhookKinds };
    const set = await inbox.setPreferences(principal, given);
    return { preferences: toMessage(set.preferences), webhookSecret: set.webhookSecret };
  },
});

const toMessage = ({ email, webhookKinds, ...rest }: Preferences) => ({
  ...rest,
  email: [...email],
  webhookKinds: [...webhookKinds],
});
