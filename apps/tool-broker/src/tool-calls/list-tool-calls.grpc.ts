/** The tool calls of a conversation for its person, each with its question; references come without their content. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService, StepUp } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import { toWireApproval } from '../approvals/to-wire-approval.grpc.ts';
import { toWireRef } from '../slots/to-wire-ref.grpc.ts';
import type { createListToolCalls } from './list-tool-calls.ts';
import type { ToolCallView } from './tool-call.ts';

const toWireStepUp = (stepUp: ToolCallView['stepUp']): StepUp | undefined =>
  stepUp && {
    requiredMode: stepUp.requiredMode,
    grantScopeJson: stepUp.grantScope === undefined ? '' : JSON.stringify(stepUp.grantScope),
  };

export const listToolCallsHandler = (
  listToolCalls: ReturnType<typeof createListToolCalls>,
): Pick<Handlers<typeof BrokerServiceService>, 'listToolCalls'> => ({
  listToolCalls: async ({ conversationId }, { principal }) => {
    const calls = await listToolCalls(personOf(principal), conversationId);
    return {
      toolCalls: calls.map(({ call, approval }) => ({
        id: call.id,
        conversationId: call.conversationId,
        tool: call.tool,
        inputJson: call.inputJson,
        why: call.why,
        status: call.status,
        output: call.output,
        refs: call.refs.map(toWireRef),
        label: { ...call.label },
        durationMs: call.durationMs,
        createdAt: call.createdAt,
        approval: approval === undefined ? undefined : toWireApproval(approval),
        reasons: call.reasons.map(({ code, text }) => ({ code, text })),
        stepUp: toWireStepUp(call.stepUp),
        planJson: call.planJson,
        stepsJson: call.stepsJson,
      })),
    };
  },
});
