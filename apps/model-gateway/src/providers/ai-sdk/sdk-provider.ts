/**
 * A provider of the `ai` SDK behind the model port: the one place where its stream becomes ours.
 *
 * One attempt is made here and no more: who may try again, and when, is decided above. Neither a key nor an address is
 * ever part of a message.
 */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ModelProviderError } from '../model-provider.port.ts';
import type { FinishReason, ModelEvent, ModelProvider, ModelRequest, ProviderModel } from '../model-provider.port.ts';
import { type Remedies, toProviderError } from './provider-error.ts';
import { toPrompt, toTools } from './to-prompt.ts';
import { withoutKeys } from './without-keys.ts';

/** Keys as they are now, by their role at the vendor; each value is kept out of every message. */
export type Credential = Readonly<Record<string, string>>;

export interface SdkProviderOptions {
  readonly id: string;
  readonly label: string;
  readonly remedies: Remedies;
  /** Read at the moment a request needs it. @throws ModelProviderError unauthorized, naming the remedy. */
  readonly credential: () => Promise<Credential>;
  readonly languageModel: (name: string, credential: Credential) => Promise<LanguageModelV4> | LanguageModelV4;
  /** What goes to the vendor beside the request, under the SDK's own names. */
  readonly vendorOptions?: (name: string) => Readonly<Record<string, Record<string, never>>> | undefined;
  readonly listModels: (
    credential: () => Promise<Credential>,
    signal: AbortSignal,
  ) => Promise<readonly ProviderModel[]>;
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
};

// The SDK prints its warnings to the console, where our log is.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export function createSdkProvider(options: SdkProviderOptions): ModelProvider {
  const { id, label, remedies } = options;
  /** Whatever went wrong, in one form and without the keys that were in use. */
  const neutral = (error: unknown, answered: boolean, credential: Credential): ModelProviderError => {
    const failure = toProviderError(error, answered, remedies);
    // A server that speaks, and not this one's language from its first word: the wrong server, or the wrong kind.
    const foreign = !answered && failure.kind === 'broken' && !failure.message.includes(remedies.address);
    const hint = foreign
      ? ` Nothing of an answer came before: check ${remedies.address}, and whether that server speaks as ${label} does.`
      : '';
    const message = withoutKeys(failure.message + hint, Object.values(credential));
    return new ModelProviderError(failure.kind, message, { cause: error, retryAfterMs: failure.retryAfterMs });
  };
  return {
    id,
    label,
    listModels: async (signal) => {
      let credential: Credential = {};
      try {
        return await options.listModels(async () => (credential = await options.credential()), signal);
      } catch (error) {
        signal.throwIfAborted();
        throw neutral(error, false, credential);
      }
    },
    stream: async function* stream(request) {
      request.signal.throwIfAborted();
      const credential = await options.credential();
      let answered = false;
      try {
        const model = await options.languageModel(request.model, credential);
        const { stream: parts } = await model.doStream(callOptions(request, options.vendorOptions?.(request.model)));
        for await (const event of read(parts, request)) {
          answered = true;
          yield event;
        }
      } catch (error) {
        request.signal.throwIfAborted();
        throw neutral(error, answered, credential);
      }
    },
  };
}

type CallOptions = Parameters<LanguageModelV4['doStream']>[0];

const callOptions = (
  request: ModelRequest,
  providerOptions: ReturnType<NonNullable<SdkProviderOptions['vendorOptions']>>,
): CallOptions => ({
  prompt: toPrompt(request.messages),
  abortSignal: request.signal,
  ...(request.tools.length > 0 && { tools: toTools(request.tools), toolChoice: { type: 'auto' } }),
  ...(request.temperature !== undefined && { temperature: request.temperature }),
  ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
  ...(request.effort !== undefined && { reasoning: request.effort }),
  ...(providerOptions && { providerOptions }),
});

/** Comes with the head of the response, before the model has done anything. */
const PREAMBLE = new Set<LanguageModelV4StreamPart['type']>(['stream-start', 'response-metadata', 'raw']);

async function* read(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  for await (const part of parts) {
    if (!PREAMBLE.has(part.type)) request.onAlive?.();
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') yield { type: 'text', delta: part.delta };
        break;
      case 'reasoning-delta':
        if (part.delta !== '') yield { type: 'reasoning', delta: part.delta };
        break;
      case 'tool-call':
        // Arguments that are no JSON are passed on as they are, and the tool refuses them.
        yield { type: 'tool_call', call: { id: part.toolCallId, name: part.toolName, arguments: part.input || '{}' } };
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        const reason = FINISH[part.finishReason.unified];
        if (!reason) throw new ModelProviderError('broken', 'The answer of the model was cut off before its end.');
        const { inputTokens, outputTokens } = part.usage;
        const usage = { inputTokens: inputTokens.total ?? null, outputTokens: outputTokens.total ?? null };
        yield { type: 'finish', reason, usage };
        return;
      }
      default:
        // Marks of steps, sources and the like are no part of the answer.
        break;
    }
  }
  throw new ModelProviderError('broken', 'The answer of the model was cut off before its end.');
}
