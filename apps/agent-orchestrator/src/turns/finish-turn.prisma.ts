/** Ends one turn inside a transaction: row, message, place and events together, by whoever the row says may end it. */
import type { Outbox } from '@bravo/events';
import type { Transaction } from '../databases/database.prisma.ts';
import { settleSlot } from '../databases/slots.prisma.ts';
import { holdConversation } from '../databases/transactions.prisma.ts';
import type { TurnStatus } from '../conversations/conversation.ts';
import { messageSent, turnFinished } from './turn-events.ts';
import { type EndedTurn, messageStatusOf, type TurnEnd } from './turn-end.ts';

interface Expected {
  readonly status: 'queued' | 'running';
  readonly holder?: string;
}

/** `text` undefined keeps what was saved last. */
export const finishTurn = async (
  tx: Transaction,
  outbox: Outbox,
  turnId: string,
  expected: Expected,
  end: TurnEnd,
  text?: string,
): Promise<EndedTurn | undefined> => {
  const known = await tx.turn.findUnique({ where: { id: turnId }, select: { conversationId: true } });
  if (!known) return undefined;
  await holdConversation(tx, known.conversationId);
  const finishedAt = new Date();
  const error = end.status === 'completed' ? { code: '', detail: '' } : end;
  const [turn] = await tx.turn.updateManyAndReturn({
    where: { id: turnId, ...expected },
    data: { status: end.status, errorCode: error.code, errorDetail: error.detail, finishedAt },
  });
  if (!turn) return undefined;
  const usage =
    end.status === 'completed'
      ? { inputTokens: end.inputTokens, outputTokens: end.outputTokens }
      : { inputTokens: 0, outputTokens: 0 };
  const { workspaceId, userId } = await tx.conversation.update({
    where: { id: turn.conversationId },
    data: { updatedAt: finishedAt },
    select: { workspaceId: true, userId: true },
  });
  const facts = {
    turnId,
    conversationId: turn.conversationId,
    owner: { workspaceId, userId },
    end,
    durationMs: finishedAt.getTime() - (turn.startedAt ?? turn.createdAt).getTime(),
  };
  if (turn.assistantMessageId) {
    const message = await tx.message.update({
      where: { id: turn.assistantMessageId },
      data: {
        status: messageStatusOf(end.status),
        errorCode: error.code,
        ...usage,
        ...(text === undefined ? {} : { content: text }),
      },
    });
    if (message.content !== '' || end.status === 'completed') {
      await outbox.appendEvent(tx, messageSent({ ...facts, messageId: message.id, text: message.content }));
    }
  }
  await outbox.appendEvent(tx, turnFinished(facts));
  await settleSlot(tx, turn.conversationId);
  return {
    id: turn.id,
    conversationId: turn.conversationId,
    workspaceId,
    status: turn.status as TurnStatus,
    assistantMessageId: turn.assistantMessageId ?? '',
    ...usage,
    errorCode: turn.errorCode,
    errorDetail: turn.errorDetail,
    streamPosition: turn.streamPosition,
    finishedAt,
  };
};
