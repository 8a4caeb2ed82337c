/** Folds one event of the turn stream into the conversation; it is pure, applies every event at most once, and must never drop or double text. */
import type { TurnEvent } from '../api/contract.ts';
import { type ConversationState, isWaiting, type Phase, plainText, type UiMessage } from './conversation-state.ts';
import { mode, number, scope, text, usage } from './read-event-data.ts';
import { askPerson, endCall, resolveQuestion, startCall } from './reduce-call.ts';
import { addNotice, replaceAt, startMessage, withPhase } from './reduce-message.ts';

/** The sequence inside an SSE id `<conversation>:<sequence>-<generation>`; undefined when the event has none (it is then always applied). */
export function eventSequence(id: string): number | undefined {
  const sequence = /(?:^|:)(\d+)(?:-[0-9a-z]+)?$/.exec(id)?.[1];
  return sequence === undefined ? undefined : Number(sequence);
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
      return startMessage(state, text(data['id']), now);
    case 'content_delta':
      return appendText(state, text(data['delta']), number(data['offset']), now);
    case 'notice':
      return addNotice(state, text(data['id']), text(data['text']), now);
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
          callId: text(data['id']),
          grantScope: scope(data['grant_scope']),
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

/** @param offset how much of the answer came before the delta: it lets a stored beginning and the stream meet exactly. */
function appendText(
  state: ConversationState,
  given: string,
  offset: number | undefined,
  now: number,
): ConversationState {
  if (given === '') return state;
  const index = state.messages.findLastIndex((m) => m.role === 'assistant' && m.status === 'streaming');
  const streaming = state.messages[index];
  // Words of an answer that was stored whole before these events were read: it has them already.
  if (!streaming) return { ...state, incomplete: true };
  const said = plainText(streaming).length;
  if (offset !== undefined && offset > said) return { ...state, incomplete: true };
  const delta = offset === undefined ? given : given.slice(said - offset);
  if (delta === '') return state;
  const last = streaming.parts.at(-1);
  const parts: UiMessage['parts'] =
    last?.kind === 'text'
      ? [...streaming.parts.slice(0, -1), { kind: 'text', text: last.text + delta }]
      : [...streaming.parts, { kind: 'text', text: delta }];
  return { ...withPhase(state, 'running', now), messages: replaceAt(state.messages, index, (m) => ({ ...m, parts })) };
}

function endTurn(
  state: ConversationState,
  id: string,
  end: { status: UiMessage['status']; usage?: UiMessage['usage'] | undefined; problem?: string },
  now: number,
): ConversationState {
  const index = state.messages.findLastIndex((m) => (id === '' ? m.status === 'streaming' : m.id === id));
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
  const cancelled = code === 'turn_cancelled';
  const status = cancelled ? 'cancelled' : code === 'turn_interrupted' ? 'interrupted' : 'failed';
  const retryable = data['retryable'] === true;
  const problem = retryable ? `${detail} You can send the message again.` : detail;
  const ended = endTurn(state, '', { status, ...(cancelled ? {} : { problem }) }, now);
  // With no answer begun there is no message to say it under.
  const untold = !cancelled && ended.messages.every((m) => m.problem !== problem);
  return { ...ended, problem: untold ? problem : null };
}
