/** The inbox in Postgres; every statement names its owner. */
import type { Database } from '../databases/database.prisma.ts';
import { randomBytes } from 'node:crypto';
import { DEFAULT_PREFERENCES, type Preferences } from '../preferences/preferences.ts';
import type { InboxStore, Page } from './inbox.ts';

const older = ({ before }: Page) => (before === undefined ? {} : { id: { lt: before } });

export const createInboxStore = (database: Database): InboxStore => ({
  activities: ({ workspaceId, userId }, page) =>
    database.activity.findMany({
      where: { workspaceId, userId: { in: [userId, ''] }, ...older(page) },
      orderBy: { id: 'desc' },
      take: page.limit,
    }),

  async notifications(owner, page, unreadOnly) {
    const rows = await database.notification.findMany({
      where: { ...owner, ...older(page), ...(unreadOnly ? { readAt: null } : {}) },
      orderBy: { id: 'desc' },
      take: page.limit,
    });
    return rows.map(({ readAt, ...row }) => ({ ...row, read: readAt !== null }));
  },

  unread: (owner) => database.notification.count({ where: { ...owner, readAt: null } }),

  async markRead(owner, ids) {
    await database.notification.updateMany({
      where: { ...owner, readAt: null, ...(ids === 'all' ? {} : { id: { in: [...ids] } }) },
      data: { readAt: new Date() },
    });
  },

  async preferences(owner) {
    const row = await database.preference.findUnique({ where: { workspaceId_userId: owner } });
    return toPreferences(row?.document);
  },

  async webhookProblem({ workspaceId, userId }) {
    const newest = await database.delivery.findFirst({
      where: { channel: 'webhook', tries: { gt: 0 }, notification: { workspaceId, userId } },
      orderBy: { notificationId: 'desc' },
    });
    return newest && newest.state !== 'sent' ? newest.problem : '';
  },

  async setPreferences(owner, preferences) {
    const document = { ...preferences, email: [...preferences.email], webhookKinds: [...preferences.webhookKinds] };
    return database.$transaction(async (tx) => {
      const before = await tx.preference.findUnique({ where: { workspaceId_userId: owner } });
      const same = before && hostOf(toPreferences(before.document).webhook) === hostOf(preferences.webhook);
      const isNew = preferences.webhook !== '' && !(same && before.webhookSalt !== '');
      const webhookSalt = isNew ? randomBytes(16).toString('hex') : (before?.webhookSalt ?? '');
      await tx.preference.upsert({
        where: { workspaceId_userId: owner },
        create: { ...owner, document, webhookSalt },
        update: { document, webhookSalt, updatedAt: new Date() },
      });
      return { salt: webhookSalt, isNew };
    });
  },
});

/** What was kept before there was a webhook says nothing of one. */
export const toPreferences = (document: unknown): Preferences => ({
  ...DEFAULT_PREFERENCES,
  ...((document ?? {}) as Partial<Preferences>),
});

const hostOf = (url: string): string => (url === '' ? '' : new URL(url).host);
