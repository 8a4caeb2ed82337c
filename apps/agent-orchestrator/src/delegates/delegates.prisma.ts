/** Delegates in Postgres. The row of the person's conversation is held while its tree changes, so that no two calls take the same room. */
import { agentActor, type Outbox } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { createHash } from 'node:crypto';
import { titleOf } from '../conversations/conversation.ts';
import type { Database, Transaction } from '../databases/database.prisma.ts';
import { holdConversation, inTransaction } from '../databases/transactions.prisma.ts';
import type { ConversationModel, DelegateModel } from '../generated/prisma/models.ts';
import { recordTurn } from '../turns/record-turn.prisma.ts';
import { type Delegate, type DelegateState, MAX_DEPTH, nameOf, roomIn } from './delegate.ts';
import type { AskedDelegates, DelegateStore, OpenedDelegates } from './delegate-store.ts';
import { delegatesBelow, endDelegate } from './end-delegates.prisma.ts';
import { restingDelegates } from './resting-delegates.prisma.ts';

const notFound = () => new Fault('not_found', 'There is no such conversation.');

export const createDelegateStore = (database: Database, outbox: Outbox): DelegateStore => ({
  open: (asked) => inTransaction(database, (tx) => open(tx, outbox, asked)),
  below: (conversationId) =>
    database.$transaction(async (tx) => {
      const rows = await delegatesBelow(tx, conversationId);
      return Promise.all(
        rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).map((row) => view(tx, row)),
      );
    }),
  resting: (limit) => restingDelegates(database, limit),
  takenWork: async (workIds) =>
    (await database.consumedWork.findMany({ where: { workId: { in: [...workIds] } } })).map(({ workId }) => workId),
  settle: ({ conversationId, rootId, outcome, report }, reported) =>
    inTransaction(database, async (tx) => {
      await holdConversation(tx, rootId);
      await holdConversation(tx, conversationId);
      const row = await tx.delegate.findUniqueOrThrow({ where: { conversationId } });
      return endDelegate(tx, outbox, row, { outcome, reported, report, reason: 'the delegate has reported' });
    }),
  cancel: (conversationId) =>
    inTransaction(database, async (tx) => {
      await holdConversation(tx, conversationId);
      const cancelledAt = new Date();
      const below = (await delegatesBelow(tx, conversationId)).map((one) => one.conversationId);
      await tx.delegate.updateMany({
        where: { conversationId: { in: below }, settledAt: null, cancelledAt: null },
        data: { cancelledAt, silent: true },
      });
      const { count } = await tx.delegate.updateMany({
        where: { conversationId, settledAt: null, cancelledAt: null },
        data: { cancelledAt },
      });
      return count === 0 ? below : [...below, conversationId];
    }),
});

const open = async (tx: Transaction, outbox: Outbox, asked: AskedDelegates): Promise<OpenedDelegates> => {
  const { workspaceId, userId } = asked.owner;
  const known = await tx.conversation.findFirst({ where: { id: asked.parentId, workspaceId, userId } });
  if (!known) throw notFound();
  const rootId = known.rootId ?? known.id;
  await holdConversation(tx, rootId);
  const before = await tx.delegate.findMany({ where: { toolCallId: asked.toolCallId, parentId: known.id } });
  if (before.length > 0) {
    const names = new Map(before.map((one) => [one.conversationId, one.name]));
    const missing = asked.delegates.length > names.size;
    return { rootId, names, refusedBecause: missing ? 'There was no room for more when the call was made.' : '' };
  }
  const parent = await workingParent(tx, known.id);
  const { depth = 0, name: parentName } =
    (await tx.delegate.findUnique({ where: { conversationId: parent.id } })) ?? {};
  if (depth >= MAX_DEPTH)
    return { rootId, names: new Map(), refusedBecause: `Delegates go ${MAX_DEPTH} levels deep, and this is the last.` };
  const { room, why } = roomIn(await countTree(tx, rootId), asked.delegates.length);
  const siblings = await tx.delegate.count({ where: { parentId: parent.id } });
  const names = new Map<string, string>();
  for (const one of asked.delegates.slice(0, room)) {
    const name = nameOf(parentName, siblings + names.size);
    names.set(one.conversationId, name);
    await openOne(tx, outbox, asked, { parent, rootId, depth: depth + 1, name }, one);
  }
  return { rootId, names, refusedBecause: why };
};

/** A stopped turn, or a delegate that was stopped, starts nothing more. */
const workingParent = async (tx: Transaction, id: string): Promise<ConversationModel> => {
  const parent = await tx.conversation.findUniqueOrThrow({ where: { id }, include: { delegate: true } });
  if (parent.status !== 'active') throw new Fault('conversation_ended', 'The conversation has ended.');
  const running = await tx.turn.count({ where: { conversationId: id, status: 'running', cancelRequested: false } });
  const attached = parent.attachedUntil !== null && parent.attachedUntil > new Date();
  if ((running === 0 && !attached) || parent.delegate?.cancelledAt)
    throw new Fault('conflict', 'The turn was stopped, so it starts no delegate.');
  return parent;
};

const countTree = async (tx: Transaction, rootId: string): Promise<{ atWork: number; sinceMessage: number }> => {
  const message = await tx.turn.findFirst({
    where: { conversationId: rootId, reason: 'message' },
    orderBy: { seq: 'desc' },
    select: { createdAt: true },
  });
  const [atWork, sinceMessage] = await Promise.all([
    tx.delegate.count({ where: { rootId, settledAt: null } }),
    tx.delegate.count({ where: { rootId, ...(message ? { createdAt: { gte: message.createdAt } } : {}) } }),
  ]);
  return { atWork, sinceMessage };
};

interface Place {
  readonly parent: ConversationModel;
  readonly rootId: string;
  readonly depth: number;
  readonly name: string;
}

const openOne = async (
  tx: Transaction,
  outbox: Outbox,
  { owner, kind, instructions, toolCallId, places }: AskedDelegates,
  { parent, rootId, depth, name }: Place,
  { conversationId, task, turnId, messageId }: AskedDelegates['delegates'][number],
): Promise<void> => {
  const { workspaceId, userId } = owner;
  const { projectId, mode, policyVersion, attended } = parent;
  const title = titleOf(task);
  const of = { parentId: parent.id, rootId };
  await tx.conversation.create({
    data: { id: conversationId, workspaceId, userId, projectId, title, mode, policyVersion, attended, ...of },
  });
  await tx.delegate.create({
    data: { conversationId, ...of, name, kind, depth, task, instructions, toolCallId },
  });
  const by = { workspace: workspaceId, actor: agentActor(userId), onBehalfOf: userId, causation: toolCallId } as const;
  await outbox.appendEvent(tx, {
    type: 'agent.conversation.created',
    conversation: conversationId,
    ...by,
    data: { mode, policy_version: policyVersion, title_bytes: Buffer.byteLength(title) },
  });
  await outbox.appendEvent(tx, {
    type: 'agent.delegate.started',
    conversation: rootId,
    ...by,
    data: {
      ...{ conversation_id: conversationId, parent_conversation_id: parent.id, name, kind, depth },
      tool_call_id: toolCallId,
      task_bytes: Buffer.byteLength(task),
      task_digest: createHash('sha256').update(task).digest('hex'),
    },
  });
  await recordTurn(tx, outbox, {
    ...{ turnId, messageId, conversationId, owner, places },
    role: 'user',
    reason: 'delegated',
    content: task,
    idempotencyKey: '',
    contextJson: '',
    streamPosition: 0n,
  });
};

const view = async (tx: Transaction, row: DelegateModel): Promise<Delegate> => {
  const { conversationId } = row;
  const conversation = await tx.conversation.findUniqueOrThrow({
    where: { id: conversationId },
    select: { workspaceId: true, userId: true, turns: { where: { status: { in: ['queued', 'running'] } } } },
  });
  const { _sum } = await tx.message.aggregate({
    where: { conversationId },
    _sum: { inputTokens: true, outputTokens: true },
  });
  const live: DelegateState = conversation.turns.some(({ status }) => status === 'running')
    ? 'running'
    : conversation.turns.length > 0
      ? 'queued'
      : 'waiting';
  return {
    ...row,
    workspaceId: conversation.workspaceId,
    userId: conversation.userId,
    state: row.outcome === '' ? live : (row.outcome as DelegateState),
    settledAt: row.settledAt ?? undefined,
    inputTokens: _sum.inputTokens ?? 0,
    outputTokens: _sum.outputTokens ?? 0,
  };
};
