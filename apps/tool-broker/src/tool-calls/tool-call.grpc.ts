/** Tools and tool calls as people see them over gRPC. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import { toWireApproval } from '../approvals/approval.grpc.ts';
import type { makeReadSlot } from '../slots/read-slot.ts';
import { toWireRef } from '../slots/slot-ref.grpc.ts';
import type { makeListTools } from '../tools/list-tools.ts';
import type { makeListToolCalls } from './list-tool-calls.ts';

type Methods = Pick<Handlers<typeof BrokerServiceService>, 'listTools' | 'listToolCalls' | 'readSlot'>;

export const toolCallHandlers = (
  listTools: ReturnType<typeof makeListTools>,
  listToolCalls: ReturnType<typeof makeListToolCalls>,
  readSlot: ReturnType<typeof makeReadSlot>,
): Methods => ({
  listTools: async (_request, { principal }) => {
    const tools = await listTools(personOf(principal).workspaceId);
    return {
      tools: tools.map(({ manifest, state, reason }) => ({
        name: manifest.name,
        title: manifest.title,
        description: manifest.description,
        effect: manifest.effect,
        external: manifest.external,
        permission: manifest.permission,
        modes: [...manifest.modes],
        policyState: state,
        policyReason: reason,
      })),
    };
  },
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
      })),
    };
  },
  readSlot: async ({ conversationId, number }, { principal }) => {
    const slot = await readSlot(personOf(principal), conversationId, number);
    return { slot: toWireRef(slot), content: Buffer.from(slot.content) };
  },
});
