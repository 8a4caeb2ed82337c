/** Reads tool calls for people; references come with what describes them, never with their content. */
import { type JsonObject, readLabel } from '@bravo/policy';
import { planOf } from '../lines/plan-of-call.ts';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import { readStepUp } from '../grants/step-up-store.prisma.ts';
import type { SlotStore } from '../slots/slot.ts';
import type { ToolCallViews } from './list-tool-calls.ts';
import type { StatedReason, ToolCallStatus, ToolCallView } from './tool-call.ts';

const LISTED = 200;

const stepUpOf = (text: string): Pick<ToolCallView, 'stepUp'> => {
  const stored = readStepUp(text);
  if (stored === undefined || stored.grantId !== undefined) return {};
  return { stepUp: { requiredMode: stored.requiredMode, grantScope: stored.grantScope } };
};

/** Of a call that has its effect on record: what was compiled, so that the person sees what an answer covers. */
const planJsonOf = (effect: string): string => {
  if (effect === '') return '';
  const { call } = JSON.parse(effect) as { call?: { targets?: JsonObject } };
  const plan = planOf(call?.targets ?? {});
  return plan === undefined ? '' : JSON.stringify(plan);
};

export const createToolCallViews = (database: BrokerDatabase, slots: SlotStore): ToolCallViews => ({
  ofConversation: async (conversationId) => {
    const rows = await database.toolCall.findMany({
      where: { conversationId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: LISTED,
    });
    const refs = await slots.refs(
      conversationId,
      rows.flatMap((row) => row.refs),
    );
    const byNumber = new Map(refs.map((ref) => [ref.number, ref]));
    return rows.reverse().map((row) => ({
      id: row.id,
      conversationId: row.conversationId,
      tool: row.tool,
      inputJson: row.input,
      why: row.why,
      status: row.status as ToolCallStatus,
      output: row.output,
      isError: row.isError,
      refs: row.refs.flatMap((number) => byNumber.get(number) ?? []),
      label: readLabel(row),
      durationMs: row.durationMs,
      createdAt: row.createdAt,
      reasons: JSON.parse(row.reasons) as StatedReason[],
      planJson: planJsonOf(row.effect),
      stepsJson: row.steps,
      ...stepUpOf(row.stepUp),
    }));
  },
});
