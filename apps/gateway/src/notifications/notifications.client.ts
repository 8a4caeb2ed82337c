/** A person's feed and notifications over gRPC. */
import type { GrpcClient } from '@bravo/chassis';
import type * as proto from '@bravo/proto/automation';
import { textOfInstant } from '../routes/shapes.ts';
import type { Notifications, PreferencesBody } from './notifications.ts';

export type AutomationClient = GrpcClient<typeof proto.AutomationServiceService>;

const pageOf = ({ limit, cursor }: { limit?: number | undefined; cursor?: string | undefined }) => ({
  limit: limit ?? 0,
  cursor: cursor ?? '',
});

export const createNotifications = (client: AutomationClient): Notifications => ({
  async activities(subject, page) {
    const answer = await client.listActivity({ page: pageOf(page) }, { subject });
    const activities = answer.activities.map(({ conversationId, time, ...rest }) => ({
      ...rest,
      conversation_id: conversationId,
      time: textOfInstant(time),
    }));
    return { activities, next_cursor: answer.page?.nextCursor ?? '' };
  },
  async list(subject, page, unreadOnly) {
    const answer = await client.listNotifications({ page: pageOf(page), unreadOnly }, { subject });
    const notifications = answer.notifications.map(({ conversationId, time, ...rest }) => ({
      ...rest,
      conversation_id: conversationId,
      time: textOfInstant(time),
    }));
    return { notifications, unread: answer.unread, next_cursor: answer.page?.nextCursor ?? '' };
  },
  markRead: async (subject, ids, all) => (await client.markRead({ ids, all }, { subject })).unread,
  async preferences(subject) {
    const { preferences, emailOffered, webhookProblem } = await client.getPreferences({}, { subject });
    return { ...toBody(preferences), email_offered: emailOffered, webhook_problem: webhookProblem };
  },
  async setPreferences(subject, { quiet_from, quiet_to, time_zone, webhook_kinds, ...rest }) {
    const times = { quietFrom: quiet_from, quietTo: quiet_to, timeZone: time_zone };
    const asked = { preferences: { ...rest, ...times, webhookKinds: webhook_kinds } };
    const { preferences, webhookSecret } = await client.putPreferences(asked, { subject });
    return { ...toBody(preferences), webhook_secret: webhookSecret };
  },
});

const toBody = (preferences: proto.Preferences | undefined): PreferencesBody => ({
  email: (preferences?.email ?? []) as PreferencesBody['email'],
  digest: preferences?.digest ?? '',
  quiet_from: preferences?.quietFrom ?? '',
  quiet_to: preferences?.quietTo ?? '',
  time_zone: preferences?.timeZone ?? '',
  webhook: preferences?.webhook ?? '',
  webhook_kinds: (preferences?.webhookKinds ?? []) as PreferencesBody['webhook_kinds'],
});
