/** Agent tokens in Postgres, by hash, each change with its event in the same transaction. */
import { PLATFORM_WORKSPACE } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import type { AgentToken, AgentTokenStore } from './agent-token-store.ts';

export const createAgentTokenStore = (database: Database, events: EventLog): AgentTokenStore => ({
  createAgentToken: (token, actor) =>
    database.$transaction(async (tx) => {
      await tx.agentToken.create({ data: token });
      await events.append(tx, {
        type: 'agent.token.minted',
        workspace: PLATFORM_WORKSPACE,
        actor,
        data: {
          token_id: token.id,
          kind: 'agent',
          pod_id: token.podId,
          reason: 'for a pod, bound to no conversation yet',
        },
      });
    }),
  findAgentToken: async (id) => toAgentToken(await database.agentToken.findUnique({ where: { id } })),
  findByHash: async (tokenHash) => toAgentToken(await database.agentToken.findUnique({ where: { tokenHash } })),
  bind: (id, binding, at, actor) =>
    database.$transaction(async (tx) => {
      const [row] = await tx.agentToken.updateManyAndReturn({
        where: { id, boundAt: null, revokedAt: null, expiresAt: { gt: at } },
        data: { ...binding, boundAt: at },
      });
      if (!row) return false;
      await events.append(tx, {
        type: 'agent.token.minted',
        workspace: binding.workspaceId,
        conversation: binding.conversationId,
        actor,
        onBehalfOf: binding.userId,
        data: { token_id: id, kind: 'agent', pod_id: row.podId, reason: 'bound to the conversation' },
      });
      return true;
    }),
  revoke: (which, at, actor) =>
    database.$transaction(async (tx) => {
      const rows = await tx.agentToken.updateManyAndReturn({
        where: { ...which, revokedAt: null },
        data: { revokedAt: at },
      });
      for (const row of rows) {
        await events.append(tx, {
          type: 'agent.token.revoked',
          workspace: row.workspaceId ?? PLATFORM_WORKSPACE,
          ...(row.conversationId ? { conversation: row.conversationId } : {}),
          actor,
          ...(row.userId ? { onBehalfOf: row.userId } : {}),
          data: { token_id: row.id, kind: 'agent', reason: 'id' in which ? 'its pod ended' : 'the conversation ended' },
        });
      }
      return rows.map((row) => toAgentToken(row)).filter((token) => token !== undefined);
    }),
  deleteExpired: async (before) => {
    await database.agentToken.deleteMany({ where: { expiresAt: { lt: before } } });
  },
});

interface Row {
  readonly id: string;
  readonly podId: string;
  readonly userId: string | null;
  readonly workspaceId: string | null;
  readonly conversationId: string | null;
  readonly rootConversationId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

const toAgentToken = (row: Row | null): AgentToken | undefined => {
  if (!row) return undefined;
  const { id, podId, userId, workspaceId, conversationId, rootConversationId, expiresAt, revokedAt } = row;
  // The CHECK of the table lets nothing half-bound exist; if one did, it would count as unbound, which may call nothing.
  const binding =
    userId && workspaceId && conversationId ? { userId, workspaceId, conversationId, rootConversationId } : undefined;
  return { id, podId, binding, expiresAt, revokedAt: revokedAt ?? undefined };
};
