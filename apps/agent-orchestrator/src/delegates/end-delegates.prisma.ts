/** Ends every delegate below a conversation inside the transaction that ends it, so that no end leaves one at work. */
import { type Outbox, serviceActor } from '@bravo/events';
import { createHash } from 'node:crypto';
import type { Transaction } from '../databases/database.prisma.ts';
import type { DelegateModel } from '../generated/prisma/models.ts';
import type { DelegateOutcome } from './delegate.ts';

/** All below, however deep: a delegate's children come after it. */
export const delegatesBelow = async (tx: Transaction, conversationId: string): Promise<DelegateModel[]> => {
  const tree = await tx.delegate.findMany({
    where: { OR: [{ rootId: conversationId }, { parentId: conversationId }, { conversationId }] },
    orderBy: { depth: 'asc' },
  });
  const rootId = tree.find((one) => one.conversationId === conversationId)?.rootId ?? conversationId;
  const all =
    rootId === conversationId ? tree : await tx.delegate.findMany({ where: { rootId }, orderBy: { depth: 'asc' } });
  const within = new Set([conversationId]);
  return all.filter((one) => {
    if (!within.has(one.parentId)) return false;
    within.add(one.conversationId);
    return true;
  });
};

export const endDelegatesOf = async (
  tx: Transaction,
  outbox: Outbox,
  conversationId: string,
  reason: string,
): Promise<void> => {
  for (const delegate of await delegatesBelow(tx, conversationId)) {
    if (delegate.settledAt === null)
      await endDelegate(tx, outbox, delegate, { outcome: 'cancelled', reported: 'nothing', report: '', reason });
  }
};

export interface DelegateEnd {
  readonly outcome: DelegateOutcome;
  readonly reported: 'words' | 'reference' | 'nothing';
  readonly report: string;
  readonly reason: string;
}

/** By compare-and-set, with its conversation and the events of both. @returns false when it was settled before. */
export const endDelegate = async (
  tx: Transaction,
  outbox: Outbox,
  delegate: DelegateModel,
  { outcome, reported, report, reason }: DelegateEnd,
): Promise<boolean> => {
  const { conversationId, parentId, rootId, name, kind, createdAt } = delegate;
  const now = new Date();
  const settled = await tx.delegate.updateMany({
    where: { conversationId, settledAt: null },
    data: { settledAt: now, outcome },
  });
  if (settled.count === 0) return false;
  const { workspaceId, userId } = await tx.conversation.update({
    where: { id: conversationId },
    data: { status: 'ended', endedAt: now, updatedAt: now },
    select: { workspaceId: true, userId: true },
  });
  await tx.turn.updateMany({ where: { conversationId, status: 'running' }, data: { cancelRequested: true } });
  const { _sum } = await tx.message.aggregate({
    where: { conversationId },
    _sum: { inputTokens: true, outputTokens: true },
  });
  const by = { workspace: workspaceId, actor: serviceActor('orchestrator'), onBehalfOf: userId } as const;
  await outbox.appendEvent(tx, {
    type: 'agent.delegate.finished',
    conversation: rootId,
    ...by,
    data: {
      ...{ conversation_id: conversationId, parent_conversation_id: parentId, name, kind, outcome, reported },
      duration_ms: Math.max(0, now.getTime() - createdAt.getTime()),
      report_bytes: Buffer.byteLength(report),
      report_digest: createHash('sha256').update(report).digest('hex'),
      input_tokens: _sum.inputTokens ?? 0,
      output_tokens: _sum.outputTokens ?? 0,
    },
  });
  await outbox.appendEvent(tx, {
    type: 'agent.conversation.ended',
    conversation: conversationId,
    ...by,
    data: { reason },
  });
  return true;
};
