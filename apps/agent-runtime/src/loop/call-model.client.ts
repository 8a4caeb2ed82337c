/**
 * Asks the model gateway for one answer over the OpenAI-compatible streaming API.
 *
 * A stream that ends without its finish mark is an error, never a short answer; nothing is retried here, because the
 * gateway behind it owns retries and the ledger.
 */
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { LoopMessage, ModelUsage, OfferedTool } from './conversation.ts';
import { type CallModel, type ModelAnswer, ModelError } from './model.ts';
import { postJson, readText, reasonOf } from './post-json.client.ts';

interface Chunk {
  model?: string;
  choices?: { delta?: Delta; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: { message?: string };
}
interface Delta {
  content?: string | null;
  reasoning_content?: string | null;
  tool_calls?: ToolCallDelta[];
}
interface ToolCallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

/** No byte for this long ends the call: the provider is gone, not slow. */
const IDLE_MS = 300_000;
/** One event and one answer may not grow past these; the pod's memory is small. */
const MAX_ANSWER_CHARACTERS = 4_000_000;
const MAX_ANSWER_BYTES = 32_000_000;
const MAX_REFUSAL_BYTES = 65_536;

/** `uri` is the base to which `/chat/completions` is appended. */
export function createModelClient(uri: string, model: string, token: string | undefined): CallModel {
  const url = `${uri.replace(/\/+$/, '')}/chat/completions`;
  return async (messages, tools, onText, signal, onThinking) => {
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), IDLE_MS);
    try {
      const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), accept: 'text/event-stream' };
      const response = await postJson(
        url,
        headers,
        toBody(model, messages, tools),
        AbortSignal.any([signal, idle.signal]),
      );
      if (response.status !== 200) throw await refusal(response.status, response.body);
      return await readAnswer(response.body, { onText, onThinking }, () => timer.refresh());
    } catch (error) {
      if (signal.aborted || error instanceof ModelError) throw error;
      if (idle.signal.aborted)
        throw new ModelError('PROVIDER_ERROR', `The model sent nothing for ${IDLE_MS / 1_000} s.`);
      throw new ModelError('PROVIDER_ERROR', `The connection to the model gateway failed: ${reasonOf(error)}.`);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function readAnswer(
  body: IncomingMessage,
  { onText, onThinking }: { onText: (delta: string) => void; onThinking: ((delta: string) => void) | undefined },
  alive: () => void,
): Promise<ModelAnswer> {
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  const answer = { text: '', model: '', usage: { inputTokens: null, outputTokens: null } as ModelUsage };
  let finished = false;
  for await (const data of eventsOf(body, alive)) {
    const chunk = parseChunk(data);
    if (chunk.error) throw new ModelError('PROVIDER_ERROR', chunk.error.message ?? 'The model stopped with an error.');
    if (chunk.model) answer.model = chunk.model;
    if (chunk.usage) {
      answer.usage = {
        inputTokens: chunk.usage.prompt_tokens ?? null,
        outputTokens: chunk.usage.completion_tokens ?? null,
      };
    }
    const choice = chunk.choices?.[0];
    if (choice?.delta?.reasoning_content) onThinking?.(choice.delta.reasoning_content);
    if (choice?.delta?.content) {
      answer.text += choice.delta.content;
      onText(choice.delta.content);
    }
    for (const delta of choice?.delta?.tool_calls ?? []) addToolCall(calls, delta);
    if (choice?.finish_reason) finished = true;
  }
  if (!finished) throw new ModelError('PROVIDER_ERROR', 'The answer of the model was cut off before its end.');
  return { ...answer, toolCalls: [...calls].sort(([a], [b]) => a - b).map(([, call]) => call) };
}

/** The data of each event until `[DONE]` or the end of the body. */
async function* eventsOf(body: IncomingMessage, alive: () => void): AsyncGenerator<string> {
  const ready: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void ready.push(data), maxBufferSize: MAX_ANSWER_CHARACTERS });
  const decoder = new TextDecoder();
  let size = 0;
  for await (const bytes of body as AsyncIterable<Buffer>) {
    alive();
    size += bytes.length;
    if (size > MAX_ANSWER_BYTES) throw new ModelError('PROVIDER_ERROR', 'The answer of the model is too long.');
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const data of ready.splice(0)) {
      if (data === '[DONE]') return;
      yield data;
    }
  }
}

/** A tool call arrives in pieces: its id and name once, its arguments as text to be joined. */
function addToolCall(calls: Map<number, { id: string; name: string; arguments: string }>, delta: ToolCallDelta): void {
  const index = delta.index ?? calls.size;
  const call = calls.get(index) ?? { id: '', name: '', arguments: '' };
  call.id ||= delta.id ?? '';
  call.name ||= delta.function?.name ?? '';
  call.arguments += delta.function?.arguments ?? '';
  calls.set(index, call);
}

function parseChunk(data: string): Chunk {
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Told below.
  }
  throw new ModelError('PROVIDER_ERROR', 'The model gateway sent an event that is not JSON.');
}

function toBody(model: string, messages: readonly LoopMessage[], tools: readonly OfferedTool[]): object {
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: messages.map((message) => {
      if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
      if (message.role !== 'assistant') return { role: message.role, content: message.content };
      const toolCalls = message.toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      }));
      return { role: 'assistant', content: message.content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
    }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  };
}

async function refusal(status: number, body: IncomingMessage): Promise<ModelError> {
  let message = '';
  try {
    message = (JSON.parse(await readText(body, MAX_REFUSAL_BYTES)) as Chunk).error?.message ?? '';
  } catch {
    // A gateway that does not answer JSON has nothing we may repeat.
  }
  const code = status === 401 || status === 403 ? 'AUTH_ERROR' : 'PROVIDER_ERROR';
  return new ModelError(code, message || `The model gateway answered with status ${status}.`);
}
