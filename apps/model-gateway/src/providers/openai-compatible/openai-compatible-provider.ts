/**
 * Any OpenAI-compatible server behind the model port, through the `ai` SDK.
 *
 * Requests are retried only before the first event; afterwards an error, a reset or a missing finish mark is thrown.
 * Neither the key nor the address is ever part of a message.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, streamText } from 'ai';
import { ModelProviderError } from '../model-provider.port.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../model-provider.port.ts';
import { toModelMessages, toToolSet } from './to-sdk.ts';

export interface OpenAiCompatibleOptions {
  /** For example http://127.0.0.1:11434/v1. */
  readonly baseUrl: string;
  /** Empty: the server wants none. */
  readonly apiKey: string;
  /** The server's own name of the model. */
  readonly model: string;
  /** Further attempts while nothing has been answered. */
  readonly maxRetries?: number;
}

const PROVIDER = 'openai-compatible';
const FINISH = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
} as const;

// The SDK prints its warnings to the console, where our log is.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export function createOpenAiCompatibleProvider({
  baseUrl,
  apiKey,
  model,
  maxRetries = 2,
}: OpenAiCompatibleOptions): ModelProvider {
  const id = `${PROVIDER}/${model}`;
  const sdk = createOpenAICompatible({
    name: 'upstream',
    baseURL: baseUrl,
    includeUsage: true,
    ...(apiKey !== '' && { apiKey }),
  });
  return {
    models: [{ id, provider: PROVIDER, label: model, demo: false }],
    stream: async function* stream(request) {
      if (request.model !== id) throw new ModelProviderError('refused', `There is no model ${request.model} here.`);
      const result = streamText({
        model: sdk(model),
        messages: toModelMessages(request.messages),
        allowSystemInMessages: true,
        tools: toToolSet(request.tools),
        maxRetries,
        abortSignal: request.signal,
        onError: () => undefined,
        ...(request.temperature !== undefined && { temperature: request.temperature }),
        ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
      });
      let answered = false;
      try {
        for await (const event of read(result.fullStream, request)) {
          answered = true;
          yield event;
        }
      } catch (error) {
        request.signal.throwIfAborted();
        const failure = toProviderError(error, answered);
        throw new ModelProviderError(failure.kind, withoutKey(failure.message, apiKey), { cause: failure });
      }
    },
  };
}

type Part = ReturnType<typeof streamText>['fullStream'] extends AsyncIterable<infer P> ? P : never;

async function* read(parts: AsyncIterable<Part>, request: ModelRequest): AsyncGenerator<ModelEvent> {
  for await (const part of parts) {
    switch (part.type) {
      case 'text-delta':
        if (part.text !== '') yield { type: 'text', delta: part.text };
        break;
      case 'tool-call': {
        // Arguments that are no JSON come as text; they are passed on as they are, and the tool refuses them.
        const text = typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {});
        yield { type: 'tool_call', call: { id: part.toolCallId, name: part.toolName, arguments: text } };
        break;
      }
      case 'error':
        throw part.error;
      case 'abort':
        request.signal.throwIfAborted();
        throw new ModelProviderError('broken', 'The answer of the model was stopped.');
      case 'finish': {
        const reason = Object.hasOwn(FINISH, part.finishReason)
          ? FINISH[part.finishReason as keyof typeof FINISH]
          : undefined;
        if (!reason) throw new ModelProviderError('broken', 'The answer of the model was cut off before its end.');
        const { inputTokens = null, outputTokens = null } = part.totalUsage;
        yield { type: 'finish', reason, usage: { inputTokens, outputTokens } };
        return;
      }
      default:
        // Reasoning, step marks and the like are no part of the answer.
        break;
    }
  }
  throw new ModelProviderError('broken', 'The answer of the model was cut off before its end.');
}

/** The SDK wraps the last failed attempt; what counts is that one. */
function toProviderError(error: unknown, answered: boolean): ModelProviderError {
  if (error instanceof ModelProviderError) return error;
  const last = (error as { lastError?: unknown }).lastError ?? error;
  const status = APICallError.isInstance(last) ? last.statusCode : undefined;
  const fail = (kind: ModelProviderError['kind'], message: string) =>
    new ModelProviderError(kind, message, { cause: error });
  if (answered || (status ?? 500) < 400)
    return fail('broken', `The answer of the model was cut off: ${reasonOf(last)}.`);
  if (status === undefined) {
    // Without a status there was no answer at all, unless the SDK says that what came is none.
    return isUnreadable(last)
      ? fail('broken', `The model gave no usable answer: ${reasonOf(last)}.`)
      : fail('unavailable', 'The model cannot be reached.');
  }
  if (status === 401 || status === 403)
    return fail('refused', `The model's server refused our key (status ${status}); check BRAVO_MODEL_API_KEY.`);
  if (status === 429 || status >= 500)
    return fail('unavailable', `The model's server cannot answer now (status ${status}).`);
  return fail(
    'refused',
    `The model's server refused the request (status ${status}): ${(last as Error).message.slice(0, 300)}`,
  );
}

const TELLING = 6;

/** Some servers repeat the key they refuse, whole or by its ends; what they say is told to pods and people. */
function withoutKey(message: string, key: string): string {
  if (key === '') return message;
  const whole = message.replaceAll(key, '[our key]');
  // The ends of a key as short as this are ordinary words.
  if (key.length < 2 * TELLING) return whole;
  const ends = [key.slice(0, TELLING), key.slice(-TELLING)];
  return whole.replace(/[^\s"'`]+/g, (word) => (ends.some((end) => word.includes(end)) ? '[our key]' : word));
}

/** A failed connection is an error of fetch; what the SDK throws itself names what it could not read, and an error event is no Error at all. */
const isUnreadable = (error: unknown): boolean =>
  !APICallError.isInstance(error) && /^(?:AI_.*)?$/.test((error as { name?: string } | null)?.name ?? '');

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'AI_InvalidResponseDataError') return 'it ended without its finish mark';
  const told = (error as { message?: unknown } | null)?.message;
  return typeof told === 'string' && told !== '' && !/\/\//.test(told)
    ? told.slice(0, 200).replace(/\.$/, '')
    : 'the connection ended';
}
