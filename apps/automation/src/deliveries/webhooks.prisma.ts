/** Whose webhook is where, as they want it now. */
import type { Database } from '../databases/database.prisma.ts';
import { toPreferences } from '../notifications/inbox.prisma.ts';
import type { Webhooks } from './send-calls.ts';

export const createWebhooks = (database: Database): Webhooks => ({
  async find({ workspaceId, userId }) {
    const row = await database.preference.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } });
    const url = toPreferences(row?.document).webhook;
    return row && url !== '' ? { url, salt: row.webhookSalt } : undefined;
  },
});
