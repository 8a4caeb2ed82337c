/** Shapes the events of a provider as OpenAI chunks or as one whole completion; it adds nothing of its own. */
import type { Answered } from '../attempts/answer-patiently.ts';
import type { ModelToolCall, TokenCounts } from '../providers/model-provider.port.ts';

export interface CompletionHead {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

const usageOf = ({ inputTokens, outputTokens }: TokenCounts): object => ({
  prompt_tokens: inputTokens ?? 0,
  completion_tokens: outputTokens ?? 0,
  total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
});

const toolCallOf = (call: ModelToolCall): object => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
});

/** Turns events into chunks, in order; keeps only the number of tool calls so far. */
export function createChunker(head: CompletionHead, includeUsage: boolean): (event: Answered) => object[] {
  let toolCalls = 0;
  let { model } = head;
  let begun = false;
  const chunk = (choices: object[], more: object = {}): object => ({
    ...head,
    model,
    object: 'chat.completion.chunk',
    choices,
    ...more,
  });
  const choice = (delta: object, reason: string | null = null): object => {
    const role = begun ? {} : { role: 'assistant' };
    begun = true;
    return { index: 0, delta: { ...role, ...delta }, finish_reason: reason };
  };
  return (event) => {
    switch (event.type) {
      case 'text':
        return [chunk([choice({ content: event.delta })])];
      case 'reasoning':
        return [chunk([choice({ reasoning_content: event.delta })])];
      case 'switch':
        // Part of what is read, so that it reaches the person through any runtime.
        model = event.to.id;
        return [chunk([choice({ content: noticeOf(event) })])];
      case 'tool_call':
        return [chunk([choice({ tool_calls: [{ index: toolCalls++, ...toolCallOf(event.call) }] })])];
      case 'finish': {
        const last = chunk([choice({}, event.reason)]);
        // An unreported count is left out rather than sent as zero.
        const known = event.usage.inputTokens !== null || event.usage.outputTokens !== null;
        return includeUsage && known ? [last, chunk([], { usage: usageOf(event.usage) })] : [last];
      }
    }
  };
}

const noticeOf = ({ text }: Extract<Answered, { type: 'switch' }>): string => `[${text}]\n\n`;

/** The whole completion. `events` ended with a `finish`. */
export function toCompletion(head: CompletionHead, events: readonly Answered[]): object {
  const said = (event: Answered): string =>
    event.type === 'text' ? event.delta : event.type === 'switch' ? noticeOf(event) : '';
  const text = events.map(said).join('');
  const thought = events.map((event) => (event.type === 'reasoning' ? event.delta : '')).join('');
  const switched = events.find((event) => event.type === 'switch');
  const calls = events.flatMap((event) => (event.type === 'tool_call' ? [toolCallOf(event.call)] : []));
  const finish = events.find((event) => event.type === 'finish');
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(thought !== '' && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...head,
    ...(switched && { model: switched.to.id }),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish?.reason ?? null }],
    ...(finish &&
      (finish.usage.inputTokens !== null || finish.usage.outputTokens !== null) && { usage: usageOf(finish.usage) }),
  };
}
