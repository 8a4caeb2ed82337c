/** The ledger in Postgres: state, event and notice of one step are one transaction, and every step is taken once. */
import { agentActor, type Outbox } from '@bravo/events';
import { contextAfterShowing, readContext } from '@bravo/policy';
import { type BrokerDatabase, isOne } from '../databases/broker-database.prisma.ts';
import { statusesBefore } from '../approvals/approval-state.ts';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import { offerRule } from '../remembered-lines/offer-rule.ts';
import { keyToSealWith } from '../slots/content-keys.prisma.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import type { ContentSealer } from '../trails/content-sealer.ts';
import { sealInput, sealOutput } from '../trails/seal-call.ts';
import { endInOwnWords, ownWords, ownWordsNotice } from './end-in-own-words.prisma.ts';
import { recordEnd } from './record-end.prisma.ts';
import { createRecordRead } from './record-read.prisma.ts';
import { createRecordJudged, markWrites, startNotice, stepUpNotice } from './record-judged.prisma.ts';
import type { EffectFacts, Refused, ToolCallLedger } from './tool-call-ledger.ts';
import { newRow, readEffect, reasonsData, storeEffect, type ToolCallRow } from './tool-call-rows.prisma.ts';
import { refusal, type ToolAnswer } from './tool-call.ts';

const BATCH = 50;
const FRESH = { approvalId: undefined, trustOutput: false, recovered: false };
/** Thrown to undo a transaction that found the same question open already. */
const ALREADY_ASKED = Symbol('already asked');

/** @param runner names this process, so that its calls can be told from those of a dead one. */
export const createToolCallLedger = (
  database: BrokerDatabase,
  outbox: Outbox,
  runner: string,
  seal: ContentSealer,
  vault: ContentVault,
): ToolCallLedger => {
  const { append, recordJudged, notify } = createRecordJudged(outbox);
  const running = () => ({ status: 'running', runner, runnerSeenAt: new Date() });

  return {
    // Sealed before the transaction: a key may have to be asked for, and no row is held meanwhile.
    refuse: async (call, { step, reasons, rule, text, stepUp }) => {
      const sealed = await sealInput(seal, call);
      await database.$transaction(async (tx) => {
        await holdOpen(tx, call.request.agent.conversationId);
        const row = newRow(call, {
          ...ownWords('refused', text),
          reasons: JSON.stringify(reasons),
          stepUp: storedStepUp(stepUp),
        });
        await tx.toolCall.createMany({ data: [row] });
        await recordJudged(tx, call, { effect: 'deny', step, reasons, rule }, sealed);
        await notify(tx, call, [
          startNotice(call),
          ...(stepUp === undefined ? [] : [stepUpNotice(call, stepUp)]),
          ownWordsNotice(call.toolCallId, 'refused', text),
        ]);
      });
    },

    start: async (call, facts) => {
      const sealed = await sealInput(seal, call);
      return database.$transaction(async (tx) => {
        await holdOpen(tx, call.request.agent.conversationId);
        const { decision } = facts;
        const effect = storeEffect(call, facts);
        const row = newRow(call, {
          ...running(),
          effect,
          reasons: JSON.stringify(decision.reasons),
          callDigest: decision.boundTo.digest,
        });
        await tx.toolCall.createMany({ data: [row] });
        await recordJudged(tx, call, decision, sealed);
        await markWrites(tx, { id: row.id, conversationId: row.conversationId }, facts.writes);
        await notify(tx, call, [startNotice(call, decision.boundTo.call.targets)]);
        return readEffect({ ...row, effect }, FRESH).effect;
      });
    },

    preview: (call, facts) =>
      readEffect({ ...newRow(call, { status: 'running' }), effect: storeEffect(call, facts) }, FRESH).effect,

    recordRead: createRecordRead(database, outbox, seal, vault),

    ask: async (call, facts: EffectFacts, question) => {
      const { decision } = facts;
      const sealed = await sealInput(seal, call);
      if (decision.effect !== 'ask') throw new Error('only an undecided call can be asked about');
      // Before the transaction: two that hold the conversation open could not both write its row.
      const key = await keyToSealWith(database, vault, call.request.agent.conversationId);
      try {
        await database.$transaction(async (tx) => {
          await holdOpen(tx, call.request.agent.conversationId);
          const row = newRow(call, {
            status: 'needs_approval',
            effect: storeEffect(call, facts),
            reasons: JSON.stringify(decision.reasons),
            callDigest: decision.boundTo.digest,
          });
          await tx.toolCall.createMany({ data: [row] });
          const { id: toolCallId, conversationId, workspaceId, userId, tool, input, why } = row;
          const approval = {
            id: question.approvalId,
            ...{ toolCallId, conversationId, workspaceId, userId, tool, input, why },
            asks: JSON.stringify(decision.reasons),
            trustOutputOffered: decision.trustOutputOffered,
            grantScope: decision.grantScope === undefined ? '' : JSON.stringify(decision.grantScope),
            rememberRule: offerRule(decision),
            callDigest: decision.boundTo.digest,
            preview: vault.seal(
              key,
              { conversationId, name: `preview:${question.approvalId}` },
              Buffer.from(JSON.stringify(question.preview)),
            ),
            expiresAt: question.expiresAt,
            heldAt: new Date(),
          };
          if (!isOne(await tx.approval.createMany({ data: [approval], skipDuplicates: true }))) throw ALREADY_ASKED;
          await recordJudged(tx, call, decision, sealed);
          const asks = reasonsData(decision.reasons);
          const expires_at = question.expiresAt.toISOString();
          await append(tx, call, 'agent.tool.approval_requested', {
            tool_call_id: toolCallId,
            tool,
            approval_id: approval.id,
            call_digest: approval.callDigest,
            asks,
            expires_at,
          });
          const start = startNotice(call, decision.boundTo.call.targets);
          await notify(tx, call, [
            start,
            {
              event: 'needs_approval',
              data: {
                ...start.data,
                approval_id: approval.id,
                asks,
                expires_at,
                trust_output_offered: approval.trustOutputOffered,
                grant_scope: decision.grantScope ?? null,
                remember_rule: approval.rememberRule,
              },
            },
          ]);
        });
        return true;
      } catch (error) {
        if (error === ALREADY_ASKED) return false;
        throw error;
      }
    },

    claim: (approvalId) =>
      database.$transaction(async (tx) => {
        const claimed = await tx.approval.updateMany({
          where: { id: approvalId, status: { in: statusesBefore('executing') }, conversation: { erasedAt: null } },
          data: { status: 'executing' },
        });
        if (!isOne(claimed)) return undefined;
        const { toolCallId, trustOutput } = await tx.approval.findUniqueOrThrow({ where: { id: approvalId } });
        if (
          !isOne(await tx.toolCall.updateMany({ where: { id: toolCallId, status: 'needs_approval' }, data: running() }))
        )
          throw new Error(`the tool call of ${approvalId} is not waiting`);
        const row = await tx.toolCall.findUniqueOrThrow({ where: { id: toolCallId } });
        const { effect, writes } = readEffect(row, { approvalId, trustOutput, recovered: false });
        await markWrites(tx, row, writes);
        return effect;
      }),

    void: (approvalId, { step, reasons }, text) =>
      database.$transaction(async (tx) => {
        const voided = await tx.approval.updateMany({
          where: { id: approvalId, status: { in: statusesBefore('superseded') } },
          data: { status: 'superseded', deliveredAt: new Date() },
        });
        if (!isOne(voided)) return;
        const approval = await tx.approval.findUniqueOrThrow({
          where: { id: approvalId },
          include: { toolCall: true },
        });
        const { toolCall: row } = approval;
        const { policyVersion } = readEffect(row, { approvalId, trustOutput: false, recovered: false }).effect.call;
        await outbox.appendEvent(tx, {
          type: 'agent.tool.decided',
          workspace: row.workspaceId,
          conversation: row.conversationId,
          actor: agentActor(row.userId),
          onBehalfOf: row.userId,
          causation: row.id,
          data: {
            tool_call_id: row.id,
            tool: row.tool,
            effect: 'deny',
            step,
            reasons: reasonsData(reasons),
            policy_version: policyVersion,
          },
        });
        await endInOwnWords(tx, row, 'refused', text);
      }),

    finish: async (effect, finished, delivered) => {
      const output = await sealOutput(seal, effect.who, finished);
      return database.$transaction(async (tx) => {
        // The conversation's row first: it orders everything that changes the context or erases it.
        await tx.$queryRaw`SELECT 1 FROM "broker"."conversation" WHERE "id" = ${effect.who.conversationId} FOR UPDATE`;
        const conversation = await tx.conversation.findUniqueOrThrow({ where: { id: effect.who.conversationId } });
        const first = await recordEnd(tx, outbox, effect, finished, {
          delivered,
          erased: conversation.erasedAt !== null,
          output,
          vault,
        });
        if (!first) return answerOfRow(await tx.toolCall.findUniqueOrThrow({ where: { id: effect.toolCallId } }))!;
        const context = finished.shown.reduce(
          (now, { label, released }) => contextAfterShowing(now, label, released),
          readContext(conversation),
        );
        await tx.conversation.update({
          where: { id: conversation.id },
          data: { integrity: context.integrity, holdsPrivate: context.holdsPrivate },
        });
        return {
          kind: 'result',
          text: finished.text,
          isError: finished.status !== 'completed',
          references: finished.slots.map((slot) => slot.number),
        } satisfies ToolAnswer;
      });
    },

    answerOf: async (toolCallId) => {
      const row = await database.toolCall.findUnique({ where: { id: toolCallId } });
      return row === null ? undefined : answerOfRow(row);
    },
    beat: async (toolCallId) => {
      await database.toolCall.updateMany({
        where: { id: toolCallId, runner, status: 'running' },
        data: { runnerSeenAt: new Date() },
      });
    },
    takeOver: async (silentSince) => {
      const silent = { status: 'running', runnerSeenAt: { lt: silentSince } };
      const rows = await database.toolCall.findMany({ where: silent, include: { approval: true }, take: BATCH });
      const taken = [];
      for (const row of rows) {
        if (!isOne(await database.toolCall.updateMany({ where: { id: row.id, ...silent }, data: running() }))) continue;
        taken.push(
          readEffect(row, {
            approvalId: row.approval?.id,
            trustOutput: row.approval?.trustOutput ?? false,
            recovered: true,
          }).effect,
        );
      }
      return taken;
    },
  };
};

const storedStepUp = (stepUp: Refused['stepUp']): string => {
  if (stepUp === undefined) return '';
  const { requiredMode, grantScope } = stepUp;
  return JSON.stringify({ requiredMode, grantScope });
};

const answerOfRow = (row: ToolCallRow): ToolAnswer | undefined => {
  if (row.finishedAt === null) return undefined;
  return row.isError && row.status !== 'outcome_unknown'
    ? refusal(row.output)
    : { kind: 'result', text: row.output, isError: row.isError, references: row.refs };
};
