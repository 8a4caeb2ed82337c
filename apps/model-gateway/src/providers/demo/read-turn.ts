/**
 * Finds, in the messages of one model call, the turn that is running: what was asked, what was called, what came back.
 *
 * A turn begins after the last finished answer. A request that an older, stopped turn left behind is never taken up.
 */
import type { ModelMessage, ModelToolCall } from '../model-provider.port.ts';
import { readTranscript } from './read-transcript.ts';

export interface Turn {
  /** What the person (or the platform) said in this turn, in order. */
  readonly asked: readonly string[];
  /** Calls of this turn with their results, in order; a call without a result is left out. */
  readonly done: readonly { readonly call: ModelToolCall; readonly result: string }[];
  /** What was said to the planner before this turn, oldest first. */
  readonly earlier: readonly string[];
}

export function readTurn(messages: readonly ModelMessage[]): Turn {
  const start = messages.findLastIndex((message) => message.role === 'assistant' && message.toolCalls.length === 0) + 1;
  const before = messages
    .slice(0, start)
    .flatMap((message) => (message.role === 'user' ? [readTranscript(message.content)] : []));
  const turn = messages.slice(start).filter(({ role }) => role !== 'system');
  const firstAnswer = turn.findIndex(({ role }) => role !== 'user');
  const opening = (firstAnswer === -1 ? turn : turn.slice(0, firstAnswer)).at(-1);
  const steering = firstAnswer === -1 ? [] : turn.slice(firstAnswer).filter(({ role }) => role === 'user');
  const results = new Map(
    turn.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [])),
  );
  const calls = turn.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  const { earlier, message } = readTranscript(opening?.role === 'user' ? opening.content : '');
  return {
    asked: [message, ...steering.map(({ content }) => content)],
    done: calls.flatMap((call) => {
      const result = results.get(call.id);
      return result === undefined ? [] : [{ call, result }];
    }),
    earlier: [...before.flatMap((item) => [...item.earlier, item.message]), ...earlier],
  };
}
