/** What the person does, folded into the conversation at once and corrected by the server's answer; pure like the event fold. */
import type { Mode } from '../api/contract.ts';
import { type ConversationState, isWaiting, type UiMessage } from './conversation-state.ts';

/** Shows the person's words before the server has them. A message sent while a turn is at work waits behind it. */
export function addOwnMessage(
  state: ConversationState,
  localId: string,
  content: string,
  now: number,
): ConversationState {
  const waits = state.phase !== 'idle' || state.messages.some(isWaiting);
  const message: UiMessage = {
    id: localId,
    role: 'user',
    parts: [{ kind: 'text', text: content }],
    status: 'sending',
    waits,
    createdAt: now,
  };
  return { ...state, messages: [...state.messages, message], stepUp: null, problem: null };
}

export function acceptOwnMessage(state: ConversationState, localId: string, now: number): ConversationState {
  const index = state.messages.findIndex((m) => m.id === localId);
  const own = state.messages[index];
  if (own?.status !== 'sending') return state;
  // The stream may have been quicker than this answer: then the turn has begun, or even ended, already.
  const answered = state.messages.slice(index + 1).some((m) => m.role === 'assistant');
  const queued = own.waits === true && !answered && state.phase !== 'idle';
  const messages = state.messages.map((m) =>
    m === own ? { ...m, status: queued ? ('queued' as const) : ('complete' as const) } : m,
  );
  return state.phase === 'idle' && !answered
    ? { ...state, messages, phase: 'waking', phaseSince: now }
    : { ...state, messages };
}

export function refuseOwnMessage(state: ConversationState, localId: string, problem: string): ConversationState {
  return {
    ...state,
    messages: state.messages.map((m) => (m.id === localId ? { ...m, status: 'unsent', problem } : m)),
  };
}

export function removeOwnMessage(state: ConversationState, localId: string): ConversationState {
  return { ...state, messages: state.messages.filter((m) => m.id !== localId) };
}

/** A cancelled turn takes the messages that waited behind it along. */
export function dropQueued(state: ConversationState): ConversationState {
  return { ...state, messages: state.messages.map((m) => (m.status === 'queued' ? { ...m, status: 'cancelled' } : m)) };
}

export function changeMode(state: ConversationState, mode: Mode): ConversationState {
  return {
    ...state,
    conversation: state.conversation && { ...state.conversation, mode },
    stepUp: state.stepUp?.requiredMode === mode ? null : state.stepUp,
  };
}

export function dismissStepUp(state: ConversationState): ConversationState {
  return { ...state, stepUp: null };
}

/** The person's answer was taken; the stream will say the same, later or never. */
export function answerQuestion(
  state: ConversationState,
  callId: string,
  decision: 'approved' | 'denied',
): ConversationState {
  const call = state.calls[callId];
  if (!call || call.status !== 'needs_approval') return state;
  return { ...state, calls: { ...state.calls, [callId]: { ...call, status: decision } } };
}
