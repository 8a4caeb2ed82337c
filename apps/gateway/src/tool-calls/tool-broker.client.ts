/** The tool-broker over gRPC: requests for a person out, the API's own shapes back. A missing label is read as the strictest. */
import type { GrpcClient } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/broker';
import type { ApprovalView, PreviewView } from '../approvals/approval-view.ts';
import { textOfInstant } from '../routes/shapes.ts';
import type { Broker } from './broker.ts';
import type { ToolCallView } from './tool-call-routes.ts';

export type BrokerClient = GrpcClient<typeof proto.BrokerServiceService>;
type Label = ToolCallView['label'];

export const createBroker = (client: BrokerClient): Broker => ({
  listTools: async (subject) =>
    (await client.listTools({}, { subject })).tools.map(({ policyState, policyReason, ...tool }) => ({
      ...tool,
      policy_state: policyState,
      policy_reason: policyReason,
    })),
  listToolCalls: async (subject, conversationId) =>
    (await client.listToolCalls({ conversationId }, { subject })).toolCalls.map(toToolCall),
  listOpenApprovals: async (subject, conversationId) =>
    (await client.listApprovals({ conversationId, pendingOnly: true }, { subject })).approvals.map(toApproval),
  getPreview: async (subject, conversationId, toolCallId) =>
    JSON.parse((await client.getPreview({ conversationId, toolCallId }, { subject })).previewJson) as PreviewView,
  resolveApproval: async (subject, answer) => {
    const { approval, grant } = await client.resolveApproval(answer, { subject });
    if (!approval) throw new Fault('internal', 'The broker answered without the question.');
    return { ...toApproval(approval), ...(grant ? { grant_id: grant.id } : {}) };
  },
  readSlot: async (subject, conversationId, number) => {
    const { slot, content } = await client.readSlot({ conversationId, number }, { subject });
    if (!slot) throw new Fault('internal', 'The broker answered without the slot.');
    return {
      slot: toSlotRef(slot),
      text: new TextDecoder().decode(content),
      content_base64: Buffer.from(content).toString('base64'),
    };
  },
  explainCall: async (subject, { conversationId, tool, input }) => {
    const request = { conversationId, tool, inputJson: JSON.stringify(input) };
    const { policyVersion, planJson, ...explained } = await client.explainCall(request, { subject });
    const { effect, step, reasons, rule, layer, steps, advice } = explained;
    const told = { effect, step, reasons, rule, layer, steps, advice };
    return { ...told, policy_version: policyVersion, plan: toJson(planJson) };
  },
});

const toLabel = (label: { integrity: string; confidentiality: string } | undefined): Label => ({
  integrity: label?.integrity === 'trusted' ? 'trusted' : 'untrusted',
  confidentiality: label?.confidentiality === 'public' ? 'public' : 'private',
});

const toSlotRef = ({
  number,
  origin,
  name,
  lines,
  bytes,
  kind,
  label,
}: proto.SlotRef): ToolCallView['refs'][number] => ({
  number,
  origin,
  name,
  lines,
  bytes,
  kind,
  label: toLabel(label),
});

/** Input that is no JSON is shown as the text it is. */
const toInput = (text: string): ToolCallView['input'] => {
  try {
    return JSON.parse(text) as ToolCallView['input'];
  } catch {
    return text;
  }
};

const toApproval = (approval: proto.Approval): ApprovalView => ({
  id: approval.id,
  tool_call_id: approval.toolCallId,
  conversation_id: approval.conversationId,
  tool: approval.tool,
  input: toInput(approval.inputJson),
  why: approval.why,
  status: approval.status,
  asks: approval.asks.map(({ code, text }) => ({ code, text })),
  trust_output_offered: approval.trustOutputOffered,
  grant_scope: toScope(approval.grantScopeJson),
  remember_rule: approval.rememberRule,
  delegate: approval.asker
    ? {
        ...{ name: approval.asker.name, kind: approval.asker.kind, task: approval.asker.task },
        root_conversation_id: approval.asker.rootConversationId,
      }
    : null,
  call_digest: approval.callDigest,
  created_at: textOfInstant(approval.createdAt),
  expires_at: textOfInstant(approval.expiresAt),
  decided_by: approval.decidedBy,
  decided_at: textOfInstant(approval.decidedAt),
});

const toToolCall = (call: proto.ToolCall): ToolCallView => ({
  id: call.id,
  conversation_id: call.conversationId,
  tool: call.tool,
  input: toInput(call.inputJson),
  why: call.why,
  status: call.status,
  output: call.output,
  refs: call.refs.map(toSlotRef),
  label: toLabel(call.label),
  duration_ms: call.durationMs,
  created_at: textOfInstant(call.createdAt),
  approval: call.approval ? toApproval(call.approval) : null,
  reasons: call.reasons.map(({ code, text }) => ({ code, text })),
  step_up: call.stepUp
    ? { required_mode: call.stepUp.requiredMode, grant_scope: toScope(call.stepUp.grantScopeJson) }
    : null,
  ...toPlan(call),
});

/** Of a command line; older brokers say nothing of it. */
const toPlan = ({ planJson, stepsJson }: proto.ToolCall): Pick<ToolCallView, 'plan' | 'steps'> => ({
  plan: toJson(planJson),
  steps: toJson(stepsJson),
});

/** @param text as the broker wrote it; nothing, or what is no JSON, is null. */
const toJson = (text: string | undefined): ToolCallView['plan'] => {
  try {
    return JSON.parse(text || 'null') as ToolCallView['plan'];
  } catch {
    return null;
  }
};

/** Empty: none is offered. */
const toScope = (text: string): ApprovalView['grant_scope'] =>
  text === '' ? null : (JSON.parse(text) as ApprovalView['grant_scope']);
