/** Records one message and its turn inside a transaction that holds the conversation's row; the second of a pair changes nothing. */
import { outgoingTraceparent } from '@bravo/chassis/trace-context';
import type { Outbox } from '@bravo/events';
import { Fault } from '@bravo/faults';
import type { Transaction } from '../databases/database.prisma.ts';
import { takeSlot } from '../databases/slots.prisma.ts';
import { delegateHasNone, titleOf } from '../conversations/conversation.ts';
import { messageReceived } from './turn-events.ts';
import type { NewTurn, RecordedTurn } from './turn-store.ts';

interface LockedConversation {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: string;
  readonly title: string;
  readonly occupiesSlot: boolean;
  readonly isDelegate: boolean;
}

const notFound = () => new Fault('not_found', 'There is no such conversation.');

export const recordTurn = async (tx: Transaction, outbox: Outbox, turn: NewTurn): Promise<RecordedTurn | undefined> => {
  const { conversationId, owner } = turn;
  const [conversation] = await tx.$queryRaw<LockedConversation[]>`
    SELECT "id", "workspace_id" AS "workspaceId", "status", "title", "occupies_slot" AS "occupiesSlot",
      "parent_id" IS NOT NULL AS "isDelegate" FROM "conversations"
    WHERE "id" = ${conversationId} AND "workspace_id" = ${owner.workspaceId} AND "user_id" = ${owner.userId} FOR UPDATE`;
  if (!conversation) throw notFound();
  if (turn.workId && !(await consume(tx, turn.workId))) return undefined;
  const known = turn.idempotencyKey ? await findReplay(tx, turn) : undefined;
  if (known) return known;
  if (conversation.isDelegate && turn.reason === 'message') throw delegateHasNone('messages of a person');
  if (conversation.status !== 'active') {
    throw new Fault('conversation_ended', 'The conversation has ended. Start a new one.');
  }
  await takePlace(tx, conversation, turn);
  const queued = (await tx.turn.count({ where: { conversationId, status: { in: ['queued', 'running'] } } })) > 0;
  await tx.message.create({
    data: {
      id: turn.messageId,
      conversationId,
      turnId: turn.turnId,
      role: turn.role,
      content: turn.content,
      status: 'complete',
    },
  });
  await tx.turn.create({
    data: {
      id: turn.turnId,
      conversationId,
      reason: turn.reason,
      workId: turn.workId ?? '',
      userMessageId: turn.messageId,
      idempotencyKey: turn.idempotencyKey || null,
      contextJson: turn.contextJson,
      traceparent: outgoingTraceparent(),
      streamPosition: turn.streamPosition,
      slotLimit: conversation.isDelegate ? turn.places.delegates : turn.places.conversations,
    },
  });
  const title = conversation.title === '' && turn.role === 'user' ? { title: titleOf(turn.content) } : {};
  await tx.conversation.update({ where: { id: conversationId }, data: { updatedAt: new Date(), ...title } });
  await outbox.appendEvent(tx, messageReceived(turn, queued));
  const { turnId, messageId, streamPosition } = turn;
  return { turnId, messageId, streamPosition, queued, replayed: false };
};

const consume = async (tx: Transaction, workId: string): Promise<boolean> => {
  const { count } = await tx.consumedWork.createMany({ data: { workId, outcome: 'turn' }, skipDuplicates: true });
  return count === 1;
};

const findReplay = async (tx: Transaction, turn: NewTurn): Promise<RecordedTurn | undefined> => {
  const { conversationId, idempotencyKey } = turn;
  const known = await tx.turn.findUnique({
    where: { conversationId_idempotencyKey: { conversationId, idempotencyKey } },
  });
  if (!known) return undefined;
  const message = await tx.message.findUniqueOrThrow({ where: { id: known.userMessageId } });
  if (message.content !== turn.content) {
    throw new Fault('conflict', 'The Idempotency-Key was used for another message before. Use a new key.');
  }
  const { id, userMessageId, streamPosition, status } = known;
  return { turnId: id, messageId: userMessageId, streamPosition, queued: status === 'queued', replayed: true };
};

/** A person hears at once that there is no place; other turns wait for one when they are begun. */
const takePlace = async (tx: Transaction, conversation: LockedConversation, turn: NewTurn): Promise<void> => {
  if (conversation.occupiesSlot || turn.reason !== 'message') return;
  if (await takeSlot(tx, conversation, turn.places.conversations)) return;
  throw new Fault(
    'too_many_conversations',
    `This workspace may work on ${turn.places.conversations} conversation(s) at once, and all of them are busy. Wait until one of them has answered, or end one.`,
  );
};
