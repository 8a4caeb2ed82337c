/** Writes the end of a call: result, slots, marks, events and notice together, once. Events get digests and sizes, never what was in them. */
import { treeOf } from '../delegates/tree.prisma.ts';
import { agentActor, type EventDraft, type EventType, type Outbox } from '@bravo/events';
import { workAfterAnswer } from '../approvals/continue-turn.ts';
import { statusesBefore } from '../approvals/approval-state.ts';
import { type BrokerTransaction, isOne } from '../databases/broker-database.prisma.ts';
import { keyToSealWith } from '../slots/content-keys.prisma.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import type { BoundEffect } from '../tools/effect.ts';
import { pieceData, type SealedContent, sealedData } from '../trails/content-sealer.ts';
import { addNotices } from '../turn-notices/turn-notices.prisma.ts';
import type { TurnNotice } from '../turn-notices/turn-notices.ts';
import type { FinishedCall } from './tool-call-ledger.ts';
import { sha256 } from './tool-call-rows.prisma.ts';

const APPROVAL_END = { completed: 'done', failed: 'failed', outcome_unknown: 'outcome_unknown' } as const;

/** False when the end had been written before: then nothing is. `erased`: the conversation ended meanwhile, so no content is kept. */
export const recordEnd = async (
  tx: BrokerTransaction,
  outbox: Outbox,
  effect: BoundEffect,
  finished: FinishedCall,
  {
    delivered,
    erased,
    output,
    vault,
  }: { delivered: boolean; erased: boolean; output: SealedContent; vault: ContentVault },
): Promise<boolean> => {
  const { toolCallId, who, approvalId } = effect;
  const { status, text, label, slots, durationMs } = finished;
  const kept = erased ? [] : slots;
  const told = erased ? '' : text;
  const ended = await tx.toolCall.updateMany({
    where: { id: toolCallId, status: 'running' },
    data: {
      status,
      output: told,
      ...(erased ? { effect: '' } : {}),
      isError: status !== 'completed',
      refs: kept.map((slot) => slot.number),
      integrity: label.integrity,
      confidentiality: label.confidentiality,
      durationMs,
      steps: finished.steps === undefined || erased ? '' : JSON.stringify(toldSteps(finished.steps)),
      finishedAt: new Date(),
    },
  });
  if (!isOne(ended)) return false;

  await keepSlots(tx, vault, effect, kept);
  const tree = finished.marks.length === 0 ? [] : await treeOf(tx, who.conversationId);
  for (const { path, trust } of finished.marks) {
    // Only over this write's own mark: a later write of the same path has set its own.
    await tx.pathTrust.updateMany({
      where: { conversationId: { in: [...tree] }, path, writtenBy: toolCallId },
      data: { trusted: trust, updatedAt: new Date() },
    });
  }
  if (approvalId !== undefined) await endApproval(tx, outbox, effect, status, { delivered, erased });
  await outbox.appendEvents(tx, endEvents(effect, finished, output));
  await addNotices(tx, who.conversationId, who.workspaceId, [
    endNotice(effect, { ...finished, text: told, slots: kept }),
  ]);
  return true;
};

export const keepSlots = async (
  tx: BrokerTransaction,
  vault: ContentVault,
  { toolCallId, who, call }: Pick<BoundEffect, 'toolCallId' | 'who' | 'call'>,
  slots: FinishedCall['slots'],
): Promise<void> => {
  if (slots.length === 0) return;
  const { conversationId } = who;
  const key = await keyToSealWith(tx, vault, conversationId);
  await tx.slot.createMany({
    data: slots.map(({ number, origin, name, kind, lines, label: of, content, path, destination }) => ({
      conversationId,
      number,
      tool: call.tool,
      path,
      destination: destination === undefined ? null : (destination ?? ''),
      toolCallId,
      origin,
      name,
      kind,
      lines,
      bytes: content.length,
      integrity: of.integrity,
      confidentiality: of.confidentiality,
      sealed: true,
      content: vault.seal(key, { conversationId, name: `slot:${number}` }, content),
    })),
  });
};

const endApproval = async (
  tx: BrokerTransaction,
  outbox: Outbox,
  { approvalId, recovered }: BoundEffect,
  status: FinishedCall['status'],
  { delivered, erased }: { delivered: boolean; erased: boolean },
): Promise<void> => {
  const to = APPROVAL_END[status];
  const id = approvalId!;
  if (
    !isOne(
      await tx.approval.updateMany({
        where: { id, status: { in: statusesBefore(to) } },
        data: { status: to, ...(delivered ? { deliveredAt: new Date() } : {}) },
      }),
    )
  )
    throw new Error(`the approval ${id} was not executing`);
  if (!recovered || erased) return;
  // The call that waited died with its process, so somebody has to come back for the result.
  if (
    !isOne(
      await tx.approval.updateMany({
        where: { id, deliveredAt: null, continuedAt: null },
        data: { continuedAt: new Date() },
      }),
    )
  )
    return;
  const row = await tx.approval.findUniqueOrThrow({ where: { id } });
  await outbox.appendWork(tx, workAfterAnswer(row, 'approved'));
};

/** As people are told of them. */
export const toldSteps = (steps: NonNullable<FinishedCall['steps']>) =>
  steps.map(({ ran, exitCode, signal, failure }) => ({ ran, exit_code: exitCode, signal, failure }));

/** What the stream is told of an end. */
export const endNotice = (
  { toolCallId }: Pick<BoundEffect, 'toolCallId'>,
  { status, text, durationMs, label, slots, steps }: FinishedCall,
): TurnNotice => {
  const refs = slots.map(({ number, origin, name, kind, lines, label: of, content }) => ({
    ...{ number, origin, name, kind, lines },
    bytes: content.length,
    label: of,
  }));
  return {
    event: 'tool_call_end',
    data: {
      ...{ id: toolCallId, status, output: text, duration_ms: durationMs, label, refs },
      ...(steps === undefined ? {} : { steps: toldSteps(steps) }),
    },
  };
};

/** What the trail is told of an end, in this order. */
export const endEvents = (
  { toolCallId, who, approvalId, call }: BoundEffect,
  finished: FinishedCall,
  sealed: SealedContent,
): EventDraft[] => {
  const draft = <T extends EventType>(type: T, data: EventDraft<T>['data']): EventDraft<T> => ({
    type,
    workspace: who.workspaceId,
    conversation: who.conversationId,
    actor: agentActor(who.userId),
    onBehalfOf: who.userId,
    causation: toolCallId,
    data,
  });
  const output = Buffer.from(finished.text);
  const approval = approvalId === undefined ? {} : { approval_id: approvalId };
  const { ran } = finished;
  return [
    draft('agent.tool.executed', {
      tool_call_id: toolCallId,
      tool: call.tool,
      ...approval,
      status: finished.status,
      duration_ms: finished.durationMs,
      output_digest: sha256(output),
      output_bytes: output.length,
      label: finished.label,
      refs: finished.slots.length,
      ...(finished.errorCode === undefined ? {} : { error_code: finished.errorCode }),
      sealed: sealedData(sealed),
    }),
    ...pieceData('output', sealed).map((piece) =>
      draft('agent.tool.content_sealed', { tool_call_id: toolCallId, tool: call.tool, ...piece }),
    ),
    ...(ran === undefined
      ? []
      : [
          draft('agent.code.executed', {
            tool_call_id: toolCallId,
            execution_id: toolCallId,
            language: ran.language,
            outcome: ran.outcome,
            exit_code: ran.exitCode,
            duration_ms: ran.durationMs,
            code_digest: ran.codeDigest,
            code_bytes: ran.codeBytes,
            signal: ran.signal,
            limits_hit: [...ran.limitsHit],
            stdout_bytes: ran.stdoutBytes,
            stdout_digest: ran.stdoutDigest,
            stderr_bytes: ran.stderrBytes,
            stderr_digest: ran.stderrDigest,
            files: ran.files,
            file_bytes: ran.fileBytes,
            files_digest: ran.filesDigest,
            files_left_out: ran.filesLeftOut,
          }),
        ]),
    ...finished.slots.map(({ number, origin, label, content }) =>
      draft('agent.content.quarantined', {
        tool_call_id: toolCallId,
        slot: number,
        origin,
        bytes: content.length,
        digest: sha256(content),
        label,
      }),
    ),
    ...finished.shown
      .filter(({ released }) => released)
      .map(({ bytes, digest }) =>
        draft('agent.content.released', { tool_call_id: toolCallId, ...approval, bytes, digest }),
      ),
  ];
};
