/** API tokens in Postgres, by hash. */
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import type { ApiTokenStore } from './api-token-store.ts';

export const createApiTokenStore = (database: Database, events: EventLog): ApiTokenStore => ({
  createApiToken: ({ scopes, ...token }, actor) =>
    database.$transaction(async (tx) => {
      await tx.apiToken.create({ data: { ...token, scopes: [...scopes] } });
      await events.append(tx, {
        type: 'agent.token.minted',
        workspace: token.workspaceId,
        actor,
        onBehalfOf: token.userId,
        data: { token_id: token.id, kind: 'api', reason: `asked for through ${token.mintedBy}` },
      });
    }),
  findOwner: async (id) => {
    const row = await database.apiToken.findUnique({ where: { id } });
    return row ? { userId: row.userId, workspaceId: row.workspaceId } : undefined;
  },
  revokeApiToken: (id, at, actor) =>
    database.$transaction(async (tx) => {
      const [row] = await tx.apiToken.updateManyAndReturn({ where: { id, revokedAt: null }, data: { revokedAt: at } });
      if (!row) return;
      await events.append(tx, {
        type: 'agent.token.revoked',
        workspace: row.workspaceId,
        actor,
        onBehalfOf: row.userId,
        data: { token_id: id, kind: 'api', reason: 'revoked by request' },
      });
    }),
});
