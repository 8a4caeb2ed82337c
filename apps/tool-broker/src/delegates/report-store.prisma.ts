/** Brings a delegate's report before its parent in one transaction: labelled by the delegate's own context, told once, with the work that makes it a turn. */
import { type Outbox, serviceActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { type ContextState, plannerWords, readContext } from '@bravo/policy';
import { createHash } from 'node:crypto';
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { workIdOf } from '../approvals/continue-turn.ts';
import { keyToSealWith } from '../slots/content-keys.prisma.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import { countLines } from '../tools/text.ts';
import { promptWithReference, promptWithWords, type ReportDelegate, type ReportRequest } from './report-delegate.ts';

/** Work that was not taken after so long never will be. */
const LOST_MS = 10 * 60_000;

export const createReportDelegate =
  (database: BrokerDatabase, outbox: Pick<Outbox, 'appendWork' | 'appendEvent'>, vault: ContentVault): ReportDelegate =>
  (request) =>
    database.$transaction(async (tx) => {
      const { conversationId, workspaceId } = request;
      const known = await tx.conversation.findFirst({ where: { id: conversationId, workspaceId } });
      if (known === null || known.parentId === null) throw new Fault('not_found', 'There is no such delegate.');
      // The parent first: whoever writes to a tree goes from its top.
      await tx.$queryRaw`SELECT "id" FROM "broker"."conversation" WHERE "id" = ${known.parentId} FOR UPDATE`;
      await tx.$queryRaw`SELECT "id" FROM "broker"."conversation" WHERE "id" = ${conversationId} FOR UPDATE`;
      const delegate = await tx.conversation.findUniqueOrThrow({ where: { id: conversationId } });
      if (delegate.reportedAt !== null) return { reported: true, openWork: [], told: delegate.reportTold };
      const open = request.outcome === 'cancelled' ? [] : await openQuestions(tx, request);
      if (open.length > 0)
        return { reported: false, openWork: open.filter(({ continued }) => continued).map(workIdOf), told: false };
      const parent = await tx.conversation.findUniqueOrThrow({ where: { id: known.parentId } });
      const context = readContext(delegate);
      const told = context.integrity === 'trusted';
      await tx.conversation.update({
        where: { id: conversationId },
        data: { reportedAt: new Date(), reportTold: told },
      });
      if (parent.erasedAt !== null) return { reported: true, openWork: [], told: false };
      const of = { ...request, kind: delegate.kind };
      const prompt = told
        ? promptWithWords(of)
        : promptWithReference(
            of,
            await quarantine(tx, outbox, vault, { ...delegate, parent }, request.report, context),
          );
      // What it was shown that is private, its parent's agent is shown now.
      if (told && context.holdsPrivate && !parent.holdsPrivate)
        await tx.conversation.update({ where: { id: parent.id }, data: { holdsPrivate: true } });
      await outbox.appendWork(tx, {
        work_id: `wrk_${conversationId}`,
        workspace_id: workspaceId,
        conversation_id: parent.id,
        user_id: parent.userId,
        reason: 'delegate_reported',
        prompt,
      });
      return { reported: true, openWork: [], told };
    });

/** Questions whose answer its agent has not had: while there is one, it is not done. */
const openQuestions = async (
  tx: BrokerTransaction,
  { conversationId, takenWork }: ReportRequest,
): Promise<readonly { readonly id: string; readonly continued: boolean }[]> => {
  const rows = await tx.approval.findMany({
    where: {
      conversationId,
      OR: [
        { status: { in: ['pending', 'approved', 'executing'] } },
        { status: { in: ['denied', 'done', 'failed', 'outcome_unknown'] }, deliveredAt: null },
      ],
    },
    select: { id: true, status: true, continuedAt: true },
  });
  return rows
    .filter(
      ({ id, status, continuedAt }) =>
        status === 'pending' ||
        continuedAt === null ||
        (!takenWork.includes(workIdOf({ id })) && continuedAt.getTime() > Date.now() - LOST_MS),
    )
    .map(({ id, continuedAt }) => ({ id, continued: continuedAt !== null }));
};

/** Behind a reference of the parent's own: one of the delegate's would name nothing there. */
const quarantine = async (
  tx: BrokerTransaction,
  outbox: Pick<Outbox, 'appendEvent'>,
  vault: ContentVault,
  delegate: {
    readonly delegateName: string;
    readonly spawnCallId: string | null;
    readonly workspaceId: string;
    readonly userId: string;
    readonly parent: { readonly id: string };
  },
  report: string,
  context: ContextState,
): Promise<{ number: number; bytes: number }> => {
  const conversationId = delegate.parent.id;
  const content = Buffer.from(report);
  const key = await keyToSealWith(tx, vault, conversationId);
  const { nextSlot } = await tx.conversation.update({
    where: { id: conversationId },
    data: { nextSlot: { increment: 1 } },
    select: { nextSlot: true },
  });
  const number = nextSlot - 1;
  const origin = `report of the delegate ${delegate.delegateName}`;
  const { integrity, confidentiality } = plannerWords(context);
  const toolCallId = delegate.spawnCallId ?? '';
  await tx.slot.create({
    data: {
      ...{
        conversationId,
        number,
        toolCallId,
        origin,
        kind: 'text',
        lines: countLines(content),
        bytes: content.length,
      },
      ...{ integrity, confidentiality, sealed: true, tool: 'spawn_agent' },
      content: vault.seal(key, { conversationId, name: `slot:${number}` }, content),
    },
  });
  await outbox.appendEvent(tx, {
    type: 'agent.content.quarantined',
    workspace: delegate.workspaceId,
    conversation: conversationId,
    actor: serviceActor('broker'),
    onBehalfOf: delegate.userId,
    causation: toolCallId,
    data: {
      ...{ tool_call_id: toolCallId, slot: number, origin, bytes: content.length },
      digest: createHash('sha256').update(content).digest('hex'),
      label: { integrity, confidentiality },
    },
  });
  return { number, bytes: content.length };
};
