/** The inbox in Postgres; every statement names its owner. */
import type { Database } from '../databases/database.prisma.ts';
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
    return (row?.document ?? DEFAULT_PREFERENCES) as unknown as Preferences;
  },

  async setPreferences(owner, preferences) {
    const document = { ...preferences, email: [...preferences.email] };
    await database.preference.upsert({
      where: { workspaceId_userId: owner },
      create: { ...owner, document },
      update: { document, updatedAt: new Date() },
    });
  },
});
