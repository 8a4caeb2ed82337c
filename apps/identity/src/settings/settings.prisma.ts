/** Settings documents in Postgres, replaced by compare-and-set on the version, together with the event. */
import { PLATFORM_WORKSPACE } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import { EMPTY_SETTINGS, type SettingsKey, type SettingsStore } from './settings-document.ts';

const NAMES = ['layer', 'workspaceId', 'userId', 'conversationId'] as const satisfies (keyof SettingsKey)[];

export const createSettingsStore = (database: Database, events: EventLog): SettingsStore => ({
  findSettings: async (key) => {
    const row = await database.settingsDocument.findUnique({
      where: { layer_workspaceId_userId_conversationId: { ...key } },
    });
    return row ? { document: row.document, version: row.version } : undefined;
  },
  findEach: async (keys) => {
    const rows = await database.settingsDocument.findMany({ where: { OR: keys.map((key) => ({ ...key })) } });
    return keys.map((key) => {
      const row = rows.find((each) => NAMES.every((name) => each[name] === key[name]));
      return row ? { document: row.document, version: row.version } : EMPTY_SETTINGS;
    });
  },
  replaceSettings: (key, { seen, document, changed, updatedBy, actor }) =>
    database.$transaction(async (tx) => {
      const data = { document, version: seen + 1, updatedBy, updatedAt: new Date() };
      const [row] =
        seen === 0
          ? await tx.settingsDocument.createManyAndReturn({ data: { ...key, ...data }, skipDuplicates: true })
          : await tx.settingsDocument.updateManyAndReturn({ where: { ...key, version: seen }, data });
      if (!row) return undefined;
      await events.append(tx, {
        type: 'agent.settings.changed',
        workspace: key.workspaceId || PLATFORM_WORKSPACE,
        ...(key.conversationId === '' ? {} : { conversation: key.conversationId }),
        actor,
        data: { layer: key.layer, version: row.version, changed: [...changed] },
      });
      return row.version;
    }),
  eraseConversation: async (workspaceId, conversationId) => {
    await database.settingsDocument.deleteMany({ where: { layer: 'conversation', workspaceId, conversationId } });
  },
});
