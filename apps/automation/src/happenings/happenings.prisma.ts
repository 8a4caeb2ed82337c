/** What happened, in Postgres: the unique event id is what makes a second delivery nothing. */
import type { Database, Transaction } from '../databases/database.prisma.ts';
import { toPreferences } from '../notifications/inbox.prisma.ts';
import { URGENT } from '../preferences/preferences.ts';
import { whenDue } from '../preferences/when-due.ts';
import type { Happenings, Taken } from './take-happening.ts';

/** `emailOffered`: without it no letter is put down to be sent. */
export const createHappenings = (database: Database, emailOffered: boolean, now: () => Date): Happenings => ({
  async projectOf(conversationId) {
    return (await database.place.findUnique({ where: { conversationId } }))?.projectId ?? '';
  },

  async keepPlace(conversationId, projectId) {
    await database.place.createMany({ data: [{ conversationId, projectId }], skipDuplicates: true });
  },

  async take(taken) {
    await database.$transaction(async (tx) => {
      await addActivity(tx, taken);
      for (const userId of taken.people) await notify(tx, taken, userId, emailOffered, now());
      if (taken.settles !== '') await settle(tx, taken.settles, taken.happening.workspaceId);
    });
  },
});

const addActivity = async (tx: Transaction, { happening, activity }: Taken): Promise<void> => {
  if (!activity) return;
  const { eventId, workspaceId, type, conversationId, actor, time } = happening;
  await tx.activity.createMany({
    data: [{ eventId, workspaceId, type, conversationId, actor, time, ...activity }],
    skipDuplicates: true,
  });
};

const notify = async (
  tx: Transaction,
  { happening, told }: Taken,
  userId: string,
  emailOffered: boolean,
  now: Date,
): Promise<void> => {
  if (!told) return;
  const { eventId, workspaceId, conversationId, time } = happening;
  const { kind, text, subject } = told;
  const [row] = await tx.notification.createManyAndReturn({
    data: [{ eventId, workspaceId, userId, conversationId, time, kind, text, subject }],
    skipDuplicates: true,
  });
  if (!row) return;
  const stored = await tx.preference.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } });
  const preferences = toPreferences(stored?.document);
  const channels = [
    ...(emailOffered && preferences.email.includes(kind) ? ['email'] : []),
    ...(preferences.webhook !== '' && preferences.webhookKinds.includes(kind) ? ['webhook'] : []),
  ];
  if (channels.length === 0) return;
  const dueAt = whenDue(now, preferences, URGENT.includes(kind));
  await tx.delivery.createMany({ data: channels.map((channel) => ({ notificationId: row.id, channel, dueAt })) });
};

/** Who was asked has answered: they have read of it, and no letter follows. */
const settle = async (tx: Transaction, subject: string, workspaceId: string): Promise<void> => {
  await tx.notification.updateMany({ where: { subject, workspaceId, readAt: null }, data: { readAt: new Date() } });
  await tx.delivery.updateMany({
    where: { state: 'pending', notification: { subject, workspaceId } },
    data: { state: 'dropped', problem: 'settled before it was sent' },
  });
};
