/** Asks an endpoint which models it offers. Models that are said to call no tools are left out; what an endpoint does not say stays unknown. */
import { z } from 'zod';
import { APICallError } from '@ai-sdk/provider';
import { ModelProviderError, type ProviderModel } from '../model-provider.port.ts';

export interface Asking {
  readonly fetch: typeof globalThis.fetch;
  readonly baseUrl: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

const MAX_BYTES = 16 * 1024 * 1024;
const text = z.string().min(1).max(300);
const tokens = z.int().positive().nullish().catch(null);

const OpenAiList = z.object({
  data: z.array(
    z.object({
      id: text,
      name: text.nullish().catch(null),
      display_name: text.nullish().catch(null),
      context_length: tokens,
      max_model_len: tokens,
      max_input_tokens: tokens,
      max_tokens: tokens,
      top_provider: z.object({ max_completion_tokens: tokens }).nullish().catch(null),
      supported_parameters: z.array(z.string()).nullish().catch(null),
    }),
  ),
});

/** What the key may reach first; the whole catalogue where the narrower question is not offered. */
export const listOpenAiCompatible = async (asking: Asking): Promise<ProviderModel[]> => {
  const headers = bearer(asking.key);
  try {
    return toModels(await ask(asking, '/models/user', headers));
  } catch (error) {
    if (!(APICallError.isInstance(error) && ![401, 403].includes(error.statusCode ?? 0)) && !isUnreadableList(error))
      throw error;
    return toModels(await ask(asking, '/models', headers));
  }
};

/** OpenAI lists everything it runs: what is no chat model has another kind of name. */
export const listOpenAi = async (asking: Asking): Promise<ProviderModel[]> =>
  toModels(await ask(asking, '/models', bearer(asking.key))).filter(
    ({ name }) =>
      /^(gpt-|o\d|chatgpt-|codex|ft:)/.test(name) && !/audio|realtime|transcribe|tts|image|search|instruct/.test(name),
  );

export const listAnthropic = async (asking: Asking): Promise<ProviderModel[]> =>
  toModels(await ask(asking, '/models?limit=1000', { 'x-api-key': asking.key, 'anthropic-version': '2023-06-01' }));

const bearer = (key: string): Record<string, string> => (key === '' ? {} : { authorization: `Bearer ${key}` });

const isUnreadableList = (error: unknown): boolean => error instanceof ModelProviderError && error.kind === 'broken';

const toModels = (list: z.output<typeof OpenAiList>): ProviderModel[] =>
  list.data
    .filter(({ supported_parameters: known }) => !known || known.includes('tools'))
    .map((model) => ({
      name: model.id,
      label: model.name ?? model.display_name ?? model.id,
      contextTokens: model.context_length ?? model.max_model_len ?? model.max_input_tokens ?? null,
      outputTokens: model.top_provider?.max_completion_tokens ?? model.max_tokens ?? null,
      effort: effortOf(model.supported_parameters),
      demo: false,
    }));

const effortOf = (known: readonly string[] | null | undefined): ProviderModel['effort'] => {
  if (!known) return 'unknown';
  return known.includes('reasoning_effort') ? 'read' : 'unread';
};

async function ask({ fetch, baseUrl, signal }: Asking, path: string, headers: Record<string, string>) {
  const url = `${baseUrl}${path}`;
  const response = await fetch(url, { headers: { accept: 'application/json', ...headers }, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new APICallError({
      message: `The list of models was refused`,
      url,
      requestBodyValues: undefined,
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
    });
  }
  const body = await readBounded(response);
  const read = OpenAiList.safeParse(body);
  if (!read.success) throw new ModelProviderError('broken', 'The list of models has a shape nobody knows.');
  return read.data;
}

async function readBounded(response: Response): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > MAX_BYTES) throw new ModelProviderError('broken', 'The list of models is larger than 16 MiB.');
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (cause) {
    throw new ModelProviderError('broken', 'The list of models is no JSON.', { cause });
  }
}
