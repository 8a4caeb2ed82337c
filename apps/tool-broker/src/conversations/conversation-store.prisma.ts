/** Conversations in Postgres; what cannot be read back comes back as `unknown`, which denies. */
import { type ConfigSnapshot, isMode, type Mode, readContext } from '@bravo/policy';
import { z } from 'zod';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import type { ConversationStore } from './conversation.ts';

const names = z.array(z.string());
const storedConfig = z.strictObject({
  enabled: z.boolean(),
  allowedTools: names,
  deniedTools: names,
  requireApproval: names,
  codeExecEnabled: z.boolean(),
  policyVersion: z.string().min(1),
});

export const createConversationStore = (database: BrokerDatabase): ConversationStore => ({
  find: async (id) => {
    const row = await database.conversation.findUnique({ where: { id } });
    if (row === null) return undefined;
    return {
      id: row.id,
      workspaceId: row.workspaceId,
      userId: row.userId,
      mode: isMode(row.mode) ? row.mode : 'unknown',
      config: readConfig(row.config),
      context: readContext({ integrity: row.integrity, holdsPrivate: row.holdsPrivate }),
      ended: row.erasedAt !== null,
    };
  },
  snapshot: async ({ id, workspaceId, userId, projectId, mode, config }) => {
    const data = {
      id,
      workspaceId,
      userId,
      projectId,
      mode,
      policyVersion: config.policyVersion,
      config: JSON.stringify(config),
    };
    await database.conversation.createMany({ data: [data], skipDuplicates: true });
    const row = await database.conversation.findUniqueOrThrow({ where: { id } });
    return { policyVersion: row.policyVersion, owner: { workspaceId: row.workspaceId, userId: row.userId } };
  },
  setMode: async (id, workspaceId, userId, mode: Mode) => {
    const { count } = await database.conversation.updateMany({
      where: { id, workspaceId, userId, erasedAt: null },
      data: { mode },
    });
    return count === 1;
  },
  erase: (id, workspaceId) =>
    database.$transaction(async (tx) => {
      // The row is locked first, so that a call in flight cannot add a slot behind this.
      await tx.conversation.updateMany({ where: { id, workspaceId, erasedAt: null }, data: { erasedAt: new Date() } });
      const where = { conversationId: id, conversation: { workspaceId } };
      await tx.slot.deleteMany({ where });
      await tx.pathTrust.deleteMany({ where });
      await tx.approval.updateMany({
        where: { ...where, status: { in: ['pending', 'approved'] } },
        data: { status: 'superseded' },
      });
      await tx.toolCall.updateMany({
        where: { ...where, status: 'needs_approval' },
        data: { status: 'refused', finishedAt: new Date() },
      });
    }),
  trustMap: async (id) => {
    const rows = await database.pathTrust.findMany({ where: { conversationId: id } });
    return rows.map((row) => ({ path: row.path, trust: row.trusted }));
  },
});

const readConfig = (text: string): ConfigSnapshot | 'unknown' => {
  try {
    const result = storedConfig.safeParse(JSON.parse(text));
    return result.success ? result.data : 'unknown';
  } catch {
    return 'unknown';
  }
};
