/** Builds the conversation from what the server has stored; it must keep what only this page knows (unsent words, text streamed since). */
import type { Approval, ConversationDetail, Message, Mode, ToolCall } from '../api/contract.ts';
import {
  type CallStatus,
  type ConversationState,
  type MessageStatus,
  type Part,
  plainText,
  type StepUp,
  type UiMessage,
  type UiQuestion,
  type UiToolCall,
} from './conversation-state.ts';
import { callStatus, instant, label, mode, number, slotRefs, text, toolInput } from './read-event-data.ts';

/** @param now milliseconds since the epoch. `previous` is the state of the same conversation, or null on first sight. */
export function loadSnapshot(
  previous: ConversationState | null,
  detail: ConversationDetail,
  toolCalls: ToolCall[],
  now: number,
): ConversationState {
  const position = Number(detail.stream_position) || 0;
  const ahead = previous !== null && previous.position > position && !previous.stale;
  const hasOlder = detail.messages_before;
  const beginning = instant(detail.messages[0]?.created_at);
  const openApprovals = new Map(detail.approvals.map((approval) => [approval.tool_call_id, approval]));
  const calls: Record<string, UiToolCall> = {};
  for (const call of toolCalls) {
    // A call of messages that are not loaded has no place here yet.
    if (hasOlder && instant(call.created_at) < beginning && call.status !== 'needs_approval') continue;
    calls[call.id] = toUiCall(call, openApprovals.get(call.id));
  }
  for (const approval of detail.approvals) calls[approval.tool_call_id] ??= callOfApproval(approval, now);
  // Nobody can answer in an ended conversation, and nobody listens there.
  if (detail.conversation.status === 'ended')
    for (const call of Object.values(calls)) if (call.status === 'needs_approval') call.status = 'expired';

  const messages = detail.messages.filter((m) => m.role !== 'system').map(toUiMessage);
  placeCalls(messages, Object.values(calls), now);
  if (previous) keepLocal(messages, previous, ahead);
  if (ahead) keepNewer(messages, calls, previous);

  const running = Boolean(detail.conversation.running_turn_id) || messages.some((m) => m.status === 'streaming');
  return {
    conversation: detail.conversation,
    messages,
    calls,
    phase: running ? (previous && previous.phase !== 'idle' ? previous.phase : 'running') : 'idle',
    phaseSince: previous?.phaseSince || now,
    stepUp: previous ? previous.stepUp : stepUpOf(detail.conversation.mode, toolCalls.at(-1)),
    problem: previous?.problem ?? null,
    position: ahead ? previous.position : position,
    stale: false,
    incomplete: false,
    hasOlder,
  };
}

/** The last thing that happened was a refusal that another mode, or a grant, would have let through. */
function stepUpOf(current: Mode, last: ToolCall | undefined): StepUp | null {
  if (!last?.step_up || last.step_up.required_mode === current) return null;
  const { required_mode, grant_scope } = last.step_up;
  return {
    ...{ currentMode: current, requiredMode: mode(required_mode), action: last.tool },
    ...{ callId: last.id, grantScope: grant_scope },
  };
}

const SERVER_STATUSES: readonly string[] = ['complete', 'streaming', 'cancelled', 'failed', 'interrupted'];

function toUiMessage(message: Message): UiMessage {
  const problem =
    message.status === 'failed' || message.status === 'interrupted'
      ? `This turn ${message.status === 'failed' ? 'failed' : 'was interrupted'}${message.error_code ? ` (${message.error_code.replaceAll('_', ' ')})` : ''}. What it produced before is kept.`
      : undefined;
  return {
    id: message.id,
    role: message.role === 'user' ? 'user' : 'assistant',
    parts: message.content === '' ? [] : [{ kind: 'text', text: message.content }],
    status: SERVER_STATUSES.includes(message.status) ? (message.status as MessageStatus) : 'complete',
    createdAt: instant(message.created_at),
    ...(message.status === 'streaming' ? { joined: true } : {}),
    ...(message.usage ? { usage: message.usage } : {}),
    ...(problem ? { problem } : {}),
  };
}

function toQuestion(approval: Approval): UiQuestion {
  return {
    asks: approval.asks,
    expiresAt: instant(approval.expires_at),
    trustOutputOffered: approval.trust_output_offered,
    grantScope: approval.grant_scope,
    rememberRule: approval.remember_rule ?? '',
    ...(approval.delegate ? { asker: approval.delegate } : {}),
  };
}

function toUiCall(call: ToolCall, open: Approval | undefined): UiToolCall {
  const approval = open ?? call.approval ?? undefined;
  const durationMs = number(call.duration_ms);
  const resultLabel = label(call.label);
  const output = text(call.output);
  return {
    id: call.id,
    tool: call.tool,
    input: toolInput(call.input),
    why: text(call.why),
    status: statusOf(call.status, approval),
    output,
    refs: slotRefs(call.refs),
    startedAt: instant(call.created_at),
    reasons: call.reasons ?? [],
    ...(call.plan ? { plan: call.plan } : {}),
    ...(call.steps && call.steps.length > 0 ? { steps: call.steps } : {}),
    ...(resultLabel ? { label: resultLabel } : {}),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(approval ? { question: toQuestion(approval) } : {}),
    ...(approval?.decided_by ? { decidedBy: approval.decided_by } : {}),
  };
}

/** The call's own word, ahead of it the answer to its question: a decision is stored before the call goes on. */
function statusOf(said: string, approval: Approval | undefined): CallStatus {
  if (said !== 'needs_approval' || !approval || approval.status === 'pending') return callStatus(said);
  if (approval.status === 'denied' || approval.status === 'expired') return approval.status;
  return approval.status === 'superseded' ? 'refused' : 'approved';
}

function callOfApproval(approval: Approval, now: number): UiToolCall {
  return {
    id: approval.tool_call_id,
    tool: approval.tool,
    input: toolInput(approval.input),
    why: text(approval.why),
    status: 'needs_approval',
    output: '',
    refs: [],
    startedAt: now,
    reasons: [],
    question: toQuestion(approval),
  };
}

/** Puts each stored call into the answer to the message it came after; a call whose answer is not stored yet gets one of its own. */
function placeCalls(messages: UiMessage[], calls: UiToolCall[], now: number): void {
  for (const call of calls.sort((a, b) => a.startedAt - b.startedAt)) {
    const askedAt = messages.findLastIndex((m) => m.role === 'user' && m.createdAt <= call.startedAt);
    const nextAsked = messages.findIndex((m, i) => i > askedAt && m.role === 'user');
    const end = nextAsked < 0 ? messages.length : nextAsked;
    // Of several answers to one message (work that went on after a question) the call belongs to the last that had begun.
    const answers = messages.slice(askedAt + 1, end).filter((m) => m.role === 'assistant');
    const answer = answers.findLast((m) => m.createdAt <= call.startedAt) ?? answers[0];
    const part: Part = { kind: 'tool', callId: call.id };
    if (answer) {
      const textAt = answer.parts.findIndex((p) => p.kind === 'text');
      answer.parts.splice(textAt < 0 ? answer.parts.length : textAt, 0, part);
    } else {
      messages.splice(end, 0, {
        id: `local:answer-${call.id}`,
        role: 'assistant',
        parts: [part],
        status: 'complete',
        createdAt: call.startedAt || now,
      });
    }
  }
}

function keepLocal(messages: UiMessage[], previous: ConversationState, ahead: boolean): void {
  for (const [index, message] of messages.entries()) {
    const known = previous.messages.find((m) => m.id === message.id);
    if (known && message.status === 'streaming' && ahead && plainText(known).length >= plainText(message).length)
      messages[index] = known;
    // Text and cards keep the order they were seen in; a stored message only knows its text as a whole.
    else if (known && sameText(known, message)) messages[index] = { ...message, parts: known.parts };
  }
  const stored = messages
    .filter((m) => m.role === 'user')
    .slice(-8)
    .map((m) => plainText(m).trim());
  for (const local of previous.messages) {
    if (!local.id.startsWith('local:') || local.role !== 'user') continue;
    if (local.status !== 'unsent' && stored.includes(plainText(local).trim())) continue;
    messages.push(local);
  }
}

/** The stream was quicker than this read: what it told since is not in the read, and must stay. */
function keepNewer(messages: UiMessage[], calls: Record<string, UiToolCall>, previous: ConversationState): void {
  const newest = messages.at(-1)?.createdAt ?? 0;
  for (const known of previous.messages) {
    if (
      known.role === 'assistant' &&
      !messages.some((m) => m.id === known.id) &&
      (known.status === 'streaming' || known.createdAt >= newest)
    )
      messages.push(known);
  }
  for (const known of Object.values(previous.calls)) {
    const read = calls[known.id];
    const question = read?.question ?? known.question;
    if (!read || read.status === 'running' || read.status === 'needs_approval')
      calls[known.id] = { ...known, ...(question ? { question } : {}) };
  }
}

/** What is stored knows its text and its calls; notices are of the stream alone. */
function sameText(a: UiMessage, b: UiMessage): boolean {
  return (
    plainText(a) === plainText(b) &&
    a.parts.filter((p) => p.kind === 'tool').length >= b.parts.filter((p) => p.kind === 'tool').length
  );
}
