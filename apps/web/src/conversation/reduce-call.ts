/** The part of the fold that follows tool calls and their questions; a call that has ended is never reopened. */
import { readAskingDelegate } from '../api/read-answers.ts';
import type { CallStatus, ConversationState, UiQuestion, UiToolCall } from './conversation-state.ts';
import {
  asks,
  callStatus,
  instant,
  label,
  number,
  plan,
  scope,
  slotRefs,
  stepEnds,
  text,
  toolInput,
} from './read-event-data.ts';
import { onPresentAnswer } from './reduce-message.ts';

export function startCall(state: ConversationState, data: Record<string, unknown>, now: number): ConversationState {
  const id = text(data['id']);
  if (id === '') return state;
  const known = state.calls[id];
  const call: UiToolCall = known ?? {
    id,
    tool: text(data['tool']),
    input: toolInput(data['input']),
    why: text(data['why']),
    status: 'running',
    output: '',
    refs: [],
    startedAt: now,
    reasons: [],
    ...planIn(data),
  };
  const withCall = { ...state, calls: { ...state.calls, [id]: call } };
  if (state.messages.some((m) => m.parts.some((p) => p.kind === 'tool' && p.callId === id))) return withCall;
  return onPresentAnswer(withCall, now, (message) => ({
    ...message,
    parts: [...message.parts, { kind: 'tool', callId: id }],
  }));
}

function planIn(data: Record<string, unknown>): Pick<UiToolCall, 'plan'> {
  const compiled = plan(data['plan']);
  return compiled ? { plan: compiled } : {};
}

/** A snapshot may be newer than the events that follow it; a call that has ended is never reopened by them. */
function isSettled(call: UiToolCall): boolean {
  return call.status !== 'running' && call.status !== 'needs_approval' && call.status !== 'approved';
}

export function askPerson(state: ConversationState, data: Record<string, unknown>, now: number): ConversationState {
  const started = startCall(state, data, now);
  return changeCall(started, text(data['id']), (call) =>
    isSettled(call)
      ? call
      : {
          ...call,
          // The question shows what the broker bound the answer to, not what the call started with.
          input: toolInput(data['input']),
          why: text(data['why']) || call.why,
          ...planIn(data),
          status: 'needs_approval',
          question: {
            asks: asks(data['asks']),
            expiresAt: instant(data['expires_at']),
            trustOutputOffered: data['trust_output_offered'] === true,
            grantScope: scope(data['grant_scope']),
            rememberRule: text(data['remember_rule']),
            ...askerIn(data['delegate']),
          },
        },
  );
}

function askerIn(value: unknown): Pick<UiQuestion, 'asker'> {
  const asker = readAskingDelegate(value);
  return asker ? { asker } : {};
}

function changeCall(state: ConversationState, id: string, change: (call: UiToolCall) => UiToolCall): ConversationState {
  const call = state.calls[id];
  return call ? { ...state, calls: { ...state.calls, [id]: change(call) } } : { ...state, incomplete: true };
}

const AFTER_DECISION: Record<string, CallStatus> = {
  approved: 'approved',
  denied: 'denied',
  expired: 'expired',
};

export function resolveQuestion(state: ConversationState, data: Record<string, unknown>): ConversationState {
  return changeCall(state, text(data['id']), (call) => {
    if (isSettled(call)) return call;
    const status = AFTER_DECISION[text(data['decision'])] ?? call.status;
    const by = text(data['by']);
    return { ...call, status, ...(by === '' ? {} : { decidedBy: by }) };
  });
}

export function endCall(state: ConversationState, data: Record<string, unknown>): ConversationState {
  return changeCall(state, text(data['id']), (call) => {
    const output = text(data['output']);
    const durationMs = number(data['duration_ms']);
    const resultLabel = label(data['label']);
    return {
      ...call,
      status: callStatus(data['status']),
      output,
      refs: slotRefs(data['refs']),
      steps: stepEnds(data['steps']),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(resultLabel ? { label: resultLabel } : {}),
    };
  });
}
