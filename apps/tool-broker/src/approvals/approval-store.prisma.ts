/** Questions in Postgres. Every step is a compare-and-set with its event and its notice in the same transaction. */
import { type Outbox, serviceActor, userActor } from '@bravo/events';
import { keepAnswers } from '../answers/answer-store.prisma.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { type BrokerDatabase, type BrokerTransaction, isOne } from '../databases/broker-database.prisma.ts';
import { insertGrant, readScope } from '../grants/grant-store.prisma.ts';
import { findKey, keyToSealWith } from '../slots/content-keys.prisma.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import { endInOwnWords } from '../tool-calls/end-in-own-words.prisma.ts';
import { addNotices } from '../turn-notices/turn-notices.prisma.ts';
import { type Approval, type ApprovalStore, type Asker, HOLD_SILENCE_MS } from './approval.ts';
import { isApprovalStatus, statusesBefore } from './approval-state.ts';
import { workAfterAnswer } from './continue-turn.ts';

/** Without what was drawn: nothing here decides by it. */
type Row = Omit<Prisma.ApprovalGetPayload<object>, 'preview'>;

/** An answer has time to reach a held call before a turn is asked for instead. */
const PICK_UP_MS = 3_000;
const BATCH = 100;
const LISTED = 200;

/** What every event of a question names. */
export const questionData = (row: Row) => ({
  tool_call_id: row.toolCallId,
  tool: row.tool,
  approval_id: row.id,
  call_digest: row.callDigest,
});

export const place = (row: Row) => ({ workspace: row.workspaceId, conversation: row.conversationId });

export const createApprovalStore = (database: BrokerDatabase, outbox: Outbox, vault: ContentVault): ApprovalStore => {
  const askForTurn = async (tx: BrokerTransaction, row: Row, decision: 'approved' | 'denied'): Promise<void> => {
    const claimed = await tx.approval.updateMany({
      where: { id: row.id, continuedAt: null },
      data: { continuedAt: new Date() },
    });
    if (isOne(claimed)) await outbox.appendWork(tx, workAfterAnswer(row, decision));
  };

  const refuseCall = async (
    tx: BrokerTransaction,
    row: Row,
    status: 'denied' | 'expired',
    by: string,
    output: string,
  ): Promise<void> => {
    await addNotices(tx, row.conversationId, row.workspaceId, [
      { event: 'approval_resolved', data: { id: row.toolCallId, approval_id: row.id, decision: status, by } },
    ]);
    await endInOwnWords(tx, { ...row, id: row.toolCallId }, status, output);
  };

  return {
    find: async (id) => view(await database.approval.findUnique({ where: { id } })),
    findByToolCall: async (toolCallId) => {
      const found = await database.approval.findUnique({
        where: { toolCallId },
        include: { conversation: { select: ASKER } },
      });
      if (found === null) return undefined;
      const { conversation, ...row } = found;
      return { ...view(row)!, asker: toAsker(conversation) };
    },
    preview: async ({ id, conversationId }) => {
      const row = await database.approval.findUnique({ where: { id }, select: { preview: true } });
      const key = await findKey(database, conversationId);
      if (row === null || row.preview === null || key === null) return undefined;
      return vault.open(key, { conversationId, name: `preview:${id}` }, row.preview).toString('utf8');
    },
    askedSoFar: async (conversationId, since) => {
      const [waiting, lately] = await Promise.all([
        database.approval.count({ where: { conversationId, status: 'pending', expiresAt: { gt: new Date() } } }),
        database.approval.count({ where: { conversationId, createdAt: { gt: since } } }),
      ]);
      return { waiting, lately };
    },
    countPending: () => database.approval.count({ where: { status: 'pending' } }),
    findOpen: async (conversationId, callDigest) =>
      view(
        await database.approval.findFirst({
          where: {
            conversationId,
            callDigest,
            OR: [
              { status: { in: ['pending', 'approved', 'executing'] } },
              { status: { in: ['denied', 'done', 'failed', 'outcome_unknown'] }, deliveredAt: null },
            ],
          },
          orderBy: { createdAt: 'desc' },
        }),
      ),
    list: async ({ userId, workspaceId }, conversationId, pendingOnly) => {
      const rows = await database.approval.findMany({
        where: {
          userId,
          workspaceId,
          ...(conversationId === undefined ? {} : { conversation: below(conversationId) }),
          ...(pendingOnly ? { status: 'pending', expiresAt: { gt: new Date() } } : {}),
        },
        orderBy: { createdAt: 'desc' },
        take: LISTED,
        include: { conversation: { select: ASKER } },
      });
      return rows.map(({ conversation, ...row }) => ({ ...view(row)!, asker: toAsker(conversation) })).reverse();
    },

    answer: async ({ approvalId, conversationId, decision, trustOutput, by, grant: given, answers = [] }) => {
      // Before the transaction, as for every sealed thing.
      const key = answers.length === 0 ? undefined : await keyToSealWith(database, vault, conversationId);
      return database.$transaction(async (tx) => {
        const now = new Date();
        const decided = await tx.approval.updateMany({
          where: { id: approvalId, status: { in: statusesBefore(decision) }, expiresAt: { gt: now } },
          data: {
            status: decision,
            trustOutput: decision === 'approved' && trustOutput,
            decidedBy: by,
            decidedAt: now,
          },
        });
        if (!isOne(decided)) return false;
        const row = await tx.approval.findUniqueOrThrow({ where: { id: approvalId } });
        if (key !== undefined) await keepAnswers(tx, vault, key, { approvalId, conversationId }, answers);
        const event = { ...place(row), actor: userActor(by), causation: row.toolCallId };
        const grant = decision === 'approved' && given !== undefined ? await insertGrant(tx, outbox, given) : undefined;
        if (decision === 'approved') {
          await outbox.appendEvent(tx, {
            ...event,
            type: 'agent.tool.approved',
            data: { ...questionData(row), trust_output: row.trustOutput },
          });
          await addNotices(tx, row.conversationId, row.workspaceId, [
            {
              event: 'approval_resolved',
              data: {
                ...{ id: row.toolCallId, approval_id: row.id, decision, by, trust_output: row.trustOutput },
                ...(grant === undefined ? {} : { grant_id: grant.id }),
              },
            },
          ]);
        } else {
          await outbox.appendEvent(tx, { ...event, type: 'agent.tool.denied', data: questionData(row) });
          await refuseCall(
            tx,
            row,
            'denied',
            by,
            `The person denied this call (${row.id}). Nothing was done. Do not make it again unless they ask for it.`,
          );
        }
        if (row.heldAt === null || row.heldAt.getTime() < now.getTime() - HOLD_SILENCE_MS)
          await askForTurn(tx, row, decision);
        return { grant };
      });
    },

    expireDue: async (now) => {
      const due = await database.approval.findMany({
        where: { status: 'pending', expiresAt: { lte: now } },
        take: BATCH,
      });
      for (const row of due) {
        await database.$transaction(async (tx) => {
          const expired = await tx.approval.updateMany({
            where: { id: row.id, status: { in: statusesBefore('expired') } },
            data: { status: 'expired', decidedAt: now },
          });
          if (!isOne(expired)) return;
          await outbox.appendEvent(tx, {
            type: 'agent.tool.expired',
            ...place(row),
            actor: serviceActor('broker'),
            onBehalfOf: row.userId,
            causation: row.toolCallId,
            data: questionData(row),
          });
          await refuseCall(
            tx,
            row,
            'expired',
            '',
            `Nobody answered the question (${row.id}) in time, so the call was not made.`,
          );
        });
      }
      return [...new Set(due.map((row) => row.conversationId))];
    },

    withdraw: async ({ userId, workspaceId }, conversationId) => {
      const open = await database.approval.findMany({
        where: { userId, workspaceId, conversationId, status: 'pending' },
        take: BATCH,
      });
      let withdrawn = 0;
      for (const row of open) {
        await database.$transaction(async (tx) => {
          const ended = await tx.approval.updateMany({
            where: { id: row.id, status: 'pending' },
            data: { status: 'superseded', decidedAt: new Date(), deliveredAt: new Date() },
          });
          if (!isOne(ended)) return;
          withdrawn += 1;
          await outbox.appendEvent(tx, {
            type: 'agent.tool.superseded',
            ...place(row),
            actor: userActor(userId),
            causation: row.toolCallId,
            data: { ...questionData(row), reason: 'the person stopped the turn' },
          });
          const words = `The person stopped the turn while this waited (${row.id}), so the call was not made.`;
          await endInOwnWords(tx, { ...row, id: row.toolCallId }, 'refused', words);
        });
      }
      return withdrawn;
    },

    continueAbandoned: async (now) => {
      const rows = await database.approval.findMany({
        where: {
          status: { in: ['approved', 'denied', 'done', 'failed', 'outcome_unknown'] },
          deliveredAt: null,
          continuedAt: null,
          decidedAt: { lt: new Date(now.getTime() - PICK_UP_MS) },
          conversation: { erasedAt: null },
          OR: [{ heldAt: null }, { heldAt: { lt: new Date(now.getTime() - HOLD_SILENCE_MS) } }],
        },
        take: BATCH,
      });
      for (const row of rows) {
        await database.$transaction((tx) => askForTurn(tx, row, row.status === 'denied' ? 'denied' : 'approved'));
      }
    },

    hold: async (id) => {
      await database.approval.updateMany({ where: { id }, data: { heldAt: new Date() } });
    },
    release: async (id) => {
      await database.approval.updateMany({ where: { id }, data: { heldAt: null } });
    },
    deliver: async (id) =>
      isOne(
        await database.approval.updateMany({ where: { id, deliveredAt: null }, data: { deliveredAt: new Date() } }),
      ),
  };
};

/** A conversation, and whatever works for it. */
const below = (id: string) => ({ OR: [{ id }, { rootId: id }, { parentId: id }] });

const ASKER = { delegateName: true, kind: true, task: true, rootId: true } as const;

const toAsker = (row: {
  delegateName: string;
  kind: string;
  task: string;
  rootId: string | null;
}): Asker | undefined =>
  row.rootId === null ? undefined : { name: row.delegateName, kind: row.kind, task: row.task, rootId: row.rootId };

const view = (row: Row | null): Approval | undefined => {
  if (row === null) return undefined;
  if (!isApprovalStatus(row.status)) throw new Error(`the approval ${row.id} has an unknown status`);
  return {
    id: row.id,
    toolCallId: row.toolCallId,
    conversationId: row.conversationId,
    workspaceId: row.workspaceId,
    userId: row.userId,
    tool: row.tool,
    inputJson: row.input,
    why: row.why,
    status: row.status,
    asks: JSON.parse(row.asks) as Approval['asks'],
    trustOutputOffered: row.trustOutputOffered,
    rememberRule: row.rememberRule,
    grantScope: row.grantScope === '' ? undefined : readScope(row.grantScope),
    callDigest: row.callDigest,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt ?? undefined,
    heldAt: row.heldAt ?? undefined,
  };
};
