/** Folds one event of the turn stream into the conversation; it is pure, applies every event at most once, and must never drop or double text. */
import type { TurnEvent } from '../api/contract.ts';
import {
  type CallStatus,
  type ConversationState,
  isWaiting,
  type Phase,
  plainText,
  type UiMessage,
  type UiToolCall,
} from './conversation-state.ts';
import { asks, instant, label, mode, number, slotRefs, text, toolInput, usage } from './read-event-data.ts';

/** The sequence inside an SSE id `<conversation>:<sequence>`; undefined when the event has none (it is then always applied). */
export function eventSequence(id: string): number | undefined {
  const tail = id.slice(id.lastIndexOf(':') + 1);
  return tail !== '' && /^\d+$/.test(tail) ? Number(tail) : undefined;
}

/** @param now milliseconds since the epoch, passed in so that the fold stays pure. */
export function reduceEvent(state: ConversationState, event: TurnEvent, now: number): ConversationState {
  const sequence = eventSequence(event.id);
  if (sequence !== undefined && sequence <= state.position) return state;
  const next = apply(state, event, now);
  return sequence === undefined ? next : { ...next, position: sequence };
}

function apply(state: ConversationState, { event, data }: TurnEvent, now: number): ConversationState {
  switch (event) {
    case 'status':
      return withPhase(state, phaseOf(data['state'], state.phase), now);
    case 'message_start':
      return startMessage(state, text(data['id']), data['role'], now);
    case 'content_delta':
      return appendText(state, text(data['delta']), number(data['offset']), now);
    case 'tool_call_start':
      return startCall(state, data, now);
    case 'needs_approval':
      return askPerson(state, data, now);
    case 'approval_resolved':
      return resolveQuestion(state, data);
    case 'tool_call_end':
      return endCall(state, data);
    case 'step_up':
      return {
        ...state,
        stepUp: {
          currentMode: mode(data['current_mode']),
          requiredMode: mode(data['required_mode']),
          action: text(data['action']),
        },
      };
    case 'message_end':
      return endTurn(state, text(data['id']), { status: 'complete', usage: usage(data['usage']) }, now);
    case 'error':
      return failTurn(state, data, now);
    case 'resync':
      return { ...state, stale: true };
    default:
      return state;
  }
}

function phaseOf(value: unknown, current: Phase): Phase {
  return value === 'queued' || value === 'waking' || value === 'running' ? value : current;
}

/** A queued message never hides that the turn before it is still at work. */
function withPhase(state: ConversationState, phase: Phase, now: number): ConversationState {
  if (phase === state.phase) return state;
  if (phase === 'queued' && state.phase !== 'idle') return state;
  return { ...state, phase, phaseSince: now };
}

function startMessage(state: ConversationState, id: string, role: unknown, now: number): ConversationState {
  if (role === 'user' || role === 'system')
    return { ...state, incomplete: state.incomplete || !state.messages.some((m) => m.id === id) };
  const known = state.messages.findIndex((m) => m.id === id);
  if (known >= 0) {
    // The stream tells this message from its beginning, so what a snapshot already held of it is told again.
    return {
      ...state,
      messages: replaceAt(state.messages, known, (m) => ({
        ...m,
        status: 'streaming',
        parts: m.parts.filter((p) => p.kind === 'tool'),
      })),
    };
  }
  const messages = [...state.messages];
  const queueAt = messages.findIndex(isWaiting);
  let at = messages.length;
  if (queueAt >= 0 && messages[queueAt - 1]?.role === 'user') {
    at = queueAt; // an earlier message is still unanswered, so this answers that one
  } else if (queueAt >= 0) {
    messages[queueAt] = { ...messages[queueAt]!, status: 'complete' };
    at = queueAt + 1;
  }
  messages.splice(at, 0, { id, role: 'assistant', parts: [], status: 'streaming', createdAt: now });
  // An answer to nothing we know: the question was asked in another tab, or by the platform.
  const incomplete = state.incomplete || messages[at - 1]?.role !== 'user';
  return { ...withPhase(state, 'running', now), messages, problem: null, incomplete };
}

function replaceAt<T>(items: T[], index: number, change: (item: T) => T): T[] {
  return items.map((item, i) => (i === index ? change(item) : item));
}

/** Applies a change to the message that streams now, making one when the stream was joined in its middle. */
function onStreaming(
  state: ConversationState,
  now: number,
  change: (message: UiMessage) => UiMessage,
): ConversationState {
  const index = state.messages.findLastIndex((m) => m.role === 'assistant' && m.status === 'streaming');
  if (index >= 0) return { ...state, messages: replaceAt(state.messages, index, change) };
  const opened = startMessage(state, `local:turn-${state.position + 1}`, 'assistant', now);
  return {
    ...opened,
    messages: replaceAt(
      opened.messages,
      opened.messages.findLastIndex((m) => m.status === 'streaming'),
      change,
    ),
  };
}

/** @param offset how much of the answer came before the delta, where the server says so: it lets a stored beginning and the stream meet exactly. */
function appendText(
  state: ConversationState,
  given: string,
  offset: number | undefined,
  now: number,
): ConversationState {
  if (given === '') return state;
  const running = state.phase === 'running' ? state : withPhase(state, 'running', now);
  const streaming = running.messages.findLast((m) => m.role === 'assistant' && m.status === 'streaming');
  const said = streaming ? plainText(streaming).length : 0;
  if (offset !== undefined && offset > said) return { ...running, incomplete: true };
  const delta = offset === undefined ? given : given.slice(said - offset);
  if (delta === '') return running;
  return onStreaming(running, now, (message) => {
    const last = message.parts.at(-1);
    const parts: UiMessage['parts'] =
      last?.kind === 'text'
        ? [...message.parts.slice(0, -1), { kind: 'text', text: last.text + delta }]
        : [...message.parts, { kind: 'text', text: delta }];
    return { ...message, parts };
  });
}

function startCall(state: ConversationState, data: Record<string, unknown>, now: number): ConversationState {
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
  };
  const withCall = { ...state, calls: { ...state.calls, [id]: call } };
  if (state.messages.some((m) => m.parts.some((p) => p.kind === 'tool' && p.callId === id))) return withCall;
  return onStreaming(withCall, now, (message) => ({
    ...message,
    parts: [...message.parts, { kind: 'tool', callId: id }],
  }));
}

/** A snapshot may be newer than the events that follow it; a call that has ended is never reopened by them. */
function isSettled(call: UiToolCall): boolean {
  return call.status !== 'running' && call.status !== 'needs_approval' && call.status !== 'approved';
}

function askPerson(state: ConversationState, data: Record<string, unknown>, now: number): ConversationState {
  const started = startCall(state, data, now);
  // An event that does not say whether the second kind of yes is offered: the stored question does.
  const asked = { ...started, incomplete: started.incomplete || typeof data['trust_output_offered'] !== 'boolean' };
  return changeCall(asked, text(data['id']), (call) =>
    isSettled(call)
      ? call
      : {
          ...call,
          // The question shows what the broker bound the answer to, not what the call started with.
          input: data['input'] === undefined ? call.input : toolInput(data['input']),
          why: text(data['why']) || call.why,
          status: 'needs_approval',
          question: {
            asks: asks(data['asks']),
            expiresAt: instant(data['expires_at']),
            trustOutputOffered: data['trust_output_offered'] === true,
          },
        },
  );
}

function changeCall(state: ConversationState, id: string, change: (call: UiToolCall) => UiToolCall): ConversationState {
  const call = state.calls[id];
  return call ? { ...state, calls: { ...state.calls, [id]: change(call) } } : { ...state, incomplete: true };
}

const AFTER_DECISION: Record<string, CallStatus> = {
  approved: 'approved',
  approve: 'approved',
  denied: 'denied',
  deny: 'denied',
  expired: 'expired',
  superseded: 'refused',
};

function resolveQuestion(state: ConversationState, data: Record<string, unknown>): ConversationState {
  return changeCall(state, text(data['id']), (call) => {
    if (isSettled(call)) return call;
    const status = AFTER_DECISION[text(data['decision'])] ?? call.status;
    const by = text(data['by']);
    return { ...call, status, ...(by === '' ? {} : { decidedBy: by }) };
  });
}

const END_STATUSES: readonly string[] = [
  'completed',
  'failed',
  'denied',
  'refused',
  'expired',
  'outcome_unknown',
  'needs_approval',
];

function endCall(state: ConversationState, data: Record<string, unknown>): ConversationState {
  return changeCall(state, text(data['id']), (call) => {
    const said = text(data['status']);
    const status = END_STATUSES.includes(said)
      ? (said as CallStatus)
      : said === 'ok' || said === 'done'
        ? 'completed'
        : 'failed';
    const output = text(data['output']);
    const durationMs = number(data['duration_ms']);
    const resultLabel = label(data['label']);
    return {
      ...call,
      status,
      output,
      refs: slotRefs(data['refs'], output),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(resultLabel ? { label: resultLabel } : {}),
    };
  });
}

function endTurn(
  state: ConversationState,
  id: string,
  end: { status: UiMessage['status']; usage?: UiMessage['usage'] | undefined; problem?: string },
  now: number,
): ConversationState {
  const index = state.messages.findLastIndex(
    (m) =>
      (id === '' ? m.status === 'streaming' : m.id === id) || (m.status === 'streaming' && m.id.startsWith('local:')),
  );
  const messages =
    index < 0
      ? state.messages
      : replaceAt(state.messages, index, (m) => ({
          ...m,
          status: end.status,
          ...(end.usage ? { usage: end.usage } : {}),
          ...(end.problem ? { problem: end.problem } : {}),
        }));
  const waiting = messages.some(isWaiting);
  const incomplete = state.incomplete || messages[index]?.joined === true;
  return { ...state, messages, phase: waiting ? 'queued' : 'idle', phaseSince: now, incomplete };
}

function failTurn(state: ConversationState, data: Record<string, unknown>, now: number): ConversationState {
  const code = text(data['code']);
  const detail = text(data['detail']) || 'The turn ended with an error that gave no reason.';
  const cancelled = code === 'cancelled' || code === 'turn_cancelled';
  const status = cancelled
    ? 'cancelled'
    : code === 'interrupted' || code === 'turn_interrupted'
      ? 'interrupted'
      : 'failed';
  const retryable = data['retryable'] === true;
  const problem = retryable ? `${detail} You can send the message again.` : detail;
  const ended = endTurn(state, '', { status, ...(cancelled ? {} : { problem }) }, now);
  // With no answer begun there is no message to say it under.
  const untold = !cancelled && ended.messages.every((m) => m.problem !== problem);
  return { ...ended, problem: untold ? problem : null };
}
