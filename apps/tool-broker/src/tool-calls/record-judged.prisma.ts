/** Writes what was asked for and what was decided, before anything happens; events say digests and reasons, never arguments. */
import { agentActor, type EventDraft, type EventType, type Outbox } from '@bravo/events';
import { type JsonObject, markBeforeWrite, type TrustMap } from '@bravo/policy';
import { shownPlan } from '../lines/plan-of-call.ts';
import { treeOf } from '../delegates/tree.prisma.ts';
import type { BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { pieceData, type SealedContent, sealedData } from '../trails/content-sealer.ts';
import { addNotices } from '../turn-notices/turn-notices.prisma.ts';
import type { TurnNotice } from '../turn-notices/turn-notices.ts';
import type { JudgedCall, Refused } from './tool-call-ledger.ts';
import { reasonsData, requestedData, type ToolCallRow } from './tool-call-rows.prisma.ts';
import { type StatedReason, splitWhy } from './tool-call.ts';

/** What the trail keeps of a decision. */
interface Judgement {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly step: string;
  readonly reasons: readonly StatedReason[];
  readonly rule?: string | undefined;
  /** Names of the arguments whose private words were let through (D5). */
  readonly promoted?: readonly string[];
}

const draftOf = <T extends EventType>(call: JudgedCall, type: T, data: EventDraft<T>['data']): EventDraft<T> => {
  const { userId, workspaceId, conversationId } = call.request.agent;
  return {
    type,
    workspace: workspaceId,
    conversation: conversationId,
    actor: agentActor(userId),
    onBehalfOf: userId,
    causation: call.toolCallId,
    data,
  };
};

/** What the trail is told of a judged call, in this order. */
export const judgedEvents = (
  call: JudgedCall,
  { effect, step, reasons, rule, promoted = [] }: Judgement,
  input: SealedContent,
): EventDraft[] => [
  draftOf(call, 'agent.tool.requested', { ...requestedData(call), sealed: sealedData(input) }),
  ...pieceData('input', input).map((piece) =>
    draftOf(call, 'agent.tool.content_sealed', {
      tool_call_id: call.toolCallId,
      tool: call.request.tool.slice(0, 128),
      ...piece,
    }),
  ),
  draftOf(call, 'agent.tool.decided', {
    tool_call_id: call.toolCallId,
    tool: call.request.tool.slice(0, 128),
    effect,
    step,
    reasons: reasonsData(reasons),
    policy_version: call.policyVersion,
    ...(rule === undefined ? {} : { rule }),
    ...(promoted.length === 0 ? {} : { promoted: [...promoted] }),
  }),
];

export const createRecordJudged = (outbox: Outbox) => {
  const append = <T extends EventType>(
    tx: BrokerTransaction,
    call: JudgedCall,
    type: T,
    data: EventDraft<T>['data'],
  ): Promise<string> => outbox.appendEvent(tx, draftOf(call, type, data));

  const recordJudged = (
    tx: BrokerTransaction,
    call: JudgedCall,
    judgement: Judgement,
    input: SealedContent,
  ): Promise<void> => outbox.appendEvents(tx, judgedEvents(call, judgement, input));

  const notify = (tx: BrokerTransaction, call: JudgedCall, notices: readonly TurnNotice[]): Promise<void> =>
    addNotices(tx, call.request.agent.conversationId, call.request.agent.workspaceId, notices);

  return { append, recordJudged, notify };
};

/** @param targets what the call resolved to, where it was. */
export const startNotice = (call: JudgedCall, targets: JsonObject = {}) => {
  const plan = shownPlan(targets);
  const { input, why } = splitWhy(call.request.arguments);
  return {
    event: 'tool_call_start',
    data: { id: call.toolCallId, tool: call.request.tool, input, why, ...(plan === undefined ? {} : { plan }) },
  } as const;
};

export const stepUpNotice = (call: JudgedCall, stepUp: NonNullable<Refused['stepUp']>): TurnNotice => ({
  event: 'step_up',
  data: {
    current_mode: stepUp.currentMode,
    required_mode: stepUp.requiredMode,
    action: call.request.tool,
    id: call.toolCallId,
    grant_scope: stepUp.grantScope ?? null,
  },
});

/** From here until the write is complete nobody vouches for what it writes. */
export const markWrites = async (
  tx: BrokerTransaction,
  row: Pick<ToolCallRow, 'id' | 'conversationId'>,
  writes: readonly string[],
): Promise<void> => {
  const marks = writes.reduce<TrustMap>((map, path) => markBeforeWrite(map, path), []);
  if (marks.length === 0) return;
  // The file is one, whoever of the tree looks at it.
  for (const conversationId of await treeOf(tx, row.conversationId)) {
    for (const { path, trust } of marks) {
      const data = { trusted: trust, writtenBy: row.id, updatedAt: new Date() };
      await tx.pathTrust.upsert({
        where: { conversationId_path: { conversationId, path } },
        create: { conversationId, path, ...data },
        update: data,
      });
    }
  }
};
