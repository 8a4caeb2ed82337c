/**
 * A small language model on this machine's processor, behind the model port. It is real and it is small: it talks, it calls no
 * tools, and its label says so. One answer at a time, with one thread: two on shared cores are many times slower.
 */
import { pathToFileURL } from 'node:url';
import { ModelProviderError } from '../model-provider.port.ts';
import type { ModelEvent, ModelProvider, ModelRequest, ProviderModel } from '../model-provider.port.ts';
import {
  type ChatItem,
  createLlamaModel,
  type LlamaRuntime,
  type LoadedModel,
  WindowTooSmall,
} from './llama-runtime.ts';

export interface LocalModelFiles {
  /** The GGUF weights. */
  readonly weights: string;
  /** Entry module of node-llama-cpp. */
  readonly runtime: string;
}

/** Of the weights; a longer conversation is refused with the reason. */
const CONTEXT_TOKENS = 8_192;
const ANSWER_TOKENS = 1_024;

export const LOCAL_MODEL: ProviderModel = {
  name: 'smollm2-135m-instruct',
  label: 'SmolLM2 135M (on this machine; very small, calls no tools)',
  contextTokens: CONTEXT_TOKENS,
  outputTokens: ANSWER_TOKENS,
  effort: 'unread',
  demo: false,
};

export function createLocalProvider(files: LocalModelFiles): ModelProvider {
  let loading: Promise<LoadedModel> | undefined;
  const load = (): Promise<LoadedModel> => {
    loading ??= loadModel(files).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  /** The end of the answer before. */
  let turn: Promise<void> = Promise.resolve();
  return {
    id: 'local',
    label: 'This machine',
    listModels: () => Promise.resolve([LOCAL_MODEL]),
    stream: async function* stream(request) {
      if (request.model !== LOCAL_MODEL.name)
        throw new ModelProviderError('refused', `There is no model ${request.model} here.`);
      const before = turn;
      const done = Promise.withResolvers<void>();
      turn = before.then(() => done.promise);
      try {
        await until(before, request.signal);
        const model = await until(load(), request.signal);
        yield* answer(model, request);
      } finally {
        done.resolve();
      }
    },
  };
}

async function* answer(model: LoadedModel, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const waiting: string[] = [];
  let wake: () => void = () => undefined;
  const outcome = model
    .answer(toChat(request), {
      signal,
      maxTokens: Math.min(request.maxOutputTokens ?? ANSWER_TOKENS, ANSWER_TOKENS),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      onText: (text) => {
        request.onAlive?.();
        waiting.push(text);
        wake();
      },
    })
    .then(
      (end) => ({ end }),
      (error: unknown) => ({ error }),
    );
  let ended: Awaited<typeof outcome> | undefined;
  void outcome.then((value) => {
    ended = value;
    wake();
  });
  try {
    for (;;) {
      for (const delta of waiting.splice(0)) if (delta !== '') yield { type: 'text', delta };
      request.signal.throwIfAborted();
      if (ended) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || ended) resolve();
      });
    }
  } finally {
    // Whoever leaves early stops the processor too, and the next answer begins only after that.
    stop.abort();
    await outcome;
  }
  if ('error' in ended) throw toError(ended.error);
  const { inputTokens, outputTokens, cut } = ended.end;
  yield { type: 'finish', reason: cut ? 'length' : 'stop', usage: { inputTokens, outputTokens } };
}

/** Tool calls and results of an earlier, larger model are told as text; tools are not offered. */
function toChat({ messages }: ModelRequest): ChatItem[] {
  return messages.flatMap((message): ChatItem[] => {
    switch (message.role) {
      case 'system':
        return [{ type: 'system', text: message.content }];
      case 'assistant':
        return message.content === '' ? [] : [{ type: 'model', response: [message.content] }];
      case 'tool':
        return [{ type: 'user', text: `Result of a tool:\n${message.content}` }];
      case 'user':
        return [{ type: 'user', text: message.content }];
    }
  });
}

function toError(error: unknown): unknown {
  if (!(error instanceof WindowTooSmall))
    return new ModelProviderError('broken', 'The local model failed.', { cause: error });
  return new ModelProviderError(
    'refused',
    `The conversation is longer than the local model's window of ${CONTEXT_TOKENS} tokens. Start a new conversation.`,
    { cause: error },
  );
}

async function loadModel({ weights, runtime }: LocalModelFiles): Promise<LoadedModel> {
  try {
    const module = (await import(pathToFileURL(runtime).href)) as LlamaRuntime;
    return await createLlamaModel(module, weights, CONTEXT_TOKENS);
  } catch (cause) {
    throw new ModelProviderError(
      'unavailable',
      'The local model cannot be loaded. Run "./bravo up" with BRAVO_MODEL=local again: it fetches what is missing.',
      { cause },
    );
  }
}

/** A wait that ends when nobody waits any more. */
async function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const gone = Promise.withResolvers<never>();
  const leave = (): void => gone.reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, gone.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
