/** Conversations of delegates in Postgres: copied from their parent in one transaction, so that none ever exists with more than it had. */
import { Fault } from '@bravo/faults';
import { z } from 'zod';
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import type { DelegateStore } from './delegates.ts';

const storedTools = z.array(z.string());

export const createDelegateStore = (database: BrokerDatabase): DelegateStore => ({
  prepare: ({ parentId, toolCallId, kind, tasks, newId, narrow }) =>
    database.$transaction(async (tx) => {
      await holdOpen(tx, parentId);
      const before = await tx.conversation.findMany({
        where: { spawnCallId: toolCallId },
        orderBy: { spawnIndex: 'asc' },
        select: { id: true, tools: true },
      });
      const [first] = before;
      if (first) return { ids: before.map(({ id }) => id), tools: storedTools.parse(JSON.parse(first.tools)) };
      const parent = await tx.conversation.findUniqueOrThrow({
        where: { id: parentId },
        select: { tools: true, depth: true },
      });
      const held = parent.tools === '' ? undefined : storedTools.parse(JSON.parse(parent.tools));
      const tools = narrow({ held, depth: parent.depth + 1 });
      if (tools.length === 0)
        throw new Fault('invalid_argument', `A ${kind} here would hold no tool at all, so none was started.`);
      const ids: string[] = [];
      for (const [index, task] of tasks.entries()) {
        const id = newId();
        ids.push(id);
        await copyParent(tx, parentId, { id, toolCallId, kind, task, index, tools: JSON.stringify(tools) });
      }
      return { ids, tools };
    }),
  settleNames: (toolCallId, names) =>
    database.$transaction(async (tx) => {
      const rows = await tx.conversation.findMany({
        where: { spawnCallId: toolCallId },
        orderBy: { spawnIndex: 'asc' },
      });
      for (const [index, { id }] of rows.entries()) {
        const name = names[index] ?? '';
        if (name === '') await tx.conversation.updateMany({ where: { id }, data: { erasedAt: new Date(), task: '' } });
        else await tx.conversation.updateMany({ where: { id }, data: { delegateName: name } });
      }
    }),
});

interface Copied {
  readonly id: string;
  readonly toolCallId: string;
  readonly kind: string;
  readonly task: string;
  readonly index: number;
  readonly tools: string;
}

const copyParent = async (
  tx: BrokerTransaction,
  parentId: string,
  { id, toolCallId, kind, task, index, tools }: Copied,
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO "broker"."conversation" ("id", "workspace_id", "user_id", "project_id", "mode", "policy_version", "config", "settings",
      "repository", "integrity", "holds_private", "attended", "parent_id", "root_id", "depth", "kind", "task", "tools", "spawn_call_id", "spawn_index")
    SELECT ${id}, "workspace_id", "user_id", "project_id", "mode", "policy_version", "config", "settings",
      "repository", "integrity", "holds_private", "attended", "id", coalesce("root_id", "id"), "depth" + 1, ${kind}, ${task}, ${tools},
      ${toolCallId}, ${index}::int
    FROM "broker"."conversation" WHERE "id" = ${parentId}`;
  await tx.$executeRaw`
    INSERT INTO "broker"."path_trust" ("conversation_id", "path", "trusted", "written_by", "updated_at")
    SELECT ${id}, "path", "trusted", "written_by", now() FROM "broker"."path_trust" WHERE "conversation_id" = ${parentId}`;
};
