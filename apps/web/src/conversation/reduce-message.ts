/** The part of the fold that opens an answer and finds the one that streams; it must never put an answer before its question. */
import { type ConversationState, isWaiting, type Phase, type UiMessage } from './conversation-state.ts';

/** A queued message never hides that the turn before it is still at work. */
export function withPhase(state: ConversationState, phase: Phase, now: number): ConversationState {
  if (phase === state.phase) return state;
  if (phase === 'queued' && state.phase !== 'idle') return state;
  return { ...state, phase, phaseSince: now };
}

export function startMessage(state: ConversationState, id: string, now: number): ConversationState {
  const known = state.messages.findIndex((m) => m.id === id);
  if (known >= 0) {
    // The stream tells this message from its beginning, so what a snapshot already held of it is told again.
    return {
      ...state,
      messages: replaceAt(state.messages, known, (m) => ({
        ...m,
        status: 'streaming',
        parts: m.parts.filter((p) => p.kind !== 'text'),
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

export function replaceAt<T>(items: T[], index: number, change: (item: T) => T): T[] {
  return items.map((item, i) => (i === index ? change(item) : item));
}

/** Where a call belongs that begins now: in the answer that streams, else in the last one; an agent without turns has a place of its own. */
export function onPresentAnswer(
  state: ConversationState,
  now: number,
  change: (message: UiMessage) => UiMessage,
): ConversationState {
  const streaming = state.messages.findLastIndex((m) => m.role === 'assistant' && m.status === 'streaming');
  const index = streaming >= 0 ? streaming : state.messages.length - 1;
  if (state.messages[index]?.role === 'assistant')
    return { ...state, messages: replaceAt(state.messages, index, change) };
  const id = `local:answer-${state.position + 1}`;
  const own = change({ id, role: 'assistant', parts: [], status: 'complete', createdAt: now });
  return { ...state, messages: [...state.messages, own] };
}

/** What the platform says of the turn stands in the answer where it was said, once. */
export function addNotice(state: ConversationState, id: string, words: string, now: number): ConversationState {
  if (words === '' || state.messages.some((m) => m.parts.some((p) => p.kind === 'notice' && p.id === id))) return state;
  return onPresentAnswer(state, now, (m) => ({ ...m, parts: [...m.parts, { kind: 'notice', id, text: words }] }));
}
