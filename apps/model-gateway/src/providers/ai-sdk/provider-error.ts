/** One neutral form for whatever an upstream or the SDK throws: a kind, and a sentence that names the setting to change. */
import { APICallError } from '@ai-sdk/provider';
import { ModelProviderError } from '../model-provider.port.ts';

/** Where a person changes what is wrong, as part of a sentence: "options.baseURL of provider.x in the workspace settings". */
export interface Remedies {
  readonly key: string;
  readonly address: string;
  readonly model: string;
}

/** `answered`: something of the answer was told already, so nothing may be tried again. */
export function toProviderError(error: unknown, answered: boolean, remedies: Remedies): ModelProviderError {
  const own = causesOf(error).find((cause) => cause instanceof ModelProviderError);
  if (own) return own as ModelProviderError;
  const last = (error as { lastError?: unknown } | null)?.lastError ?? error;
  const call = APICallError.isInstance(last) ? last : undefined;
  const fail = (kind: ModelProviderError['kind'], message: string, retryAfterMs?: number): ModelProviderError =>
    new ModelProviderError(kind, message, { cause: error, retryAfterMs });
  const status = call?.statusCode ?? statusInStream(last);
  if (answered || (status ?? 500) < 400)
    return fail('broken', `The answer of the model was cut off: ${reasonOf(last)}.`);
  if (status === undefined) return withoutStatus(last, remedies, fail);
  const said = wordsOf(last);
  switch (true) {
    case status === 401 || status === 403:
      return fail(
        'unauthorized',
        `The model's server refused our key (status ${status}${said}). Check ${remedies.key}: it may be wrong, expired or for another region.`,
      );
    case status === 429:
      return fail(
        'throttled',
        `The model's server takes no more requests for now (status 429${said}).`,
        retryAfterOf(call?.responseHeaders),
      );
    case status === 408 || status >= 500:
      return fail(
        'unavailable',
        `The model's server cannot answer now (status ${status}).`,
        retryAfterOf(call?.responseHeaders),
      );
    case status === 404:
      return fail(
        'refused',
        `The model's server knows no such model or address (status 404${said}). Check ${remedies.model} and ${remedies.address}.`,
      );
    case TOO_LONG.test(said):
      return fail(
        'refused',
        `The conversation is longer than the model's window (status ${status}${said}). Start a new conversation, or choose a model with a larger window; a window that is stated wrongly is limit.context in ${remedies.model}.`,
      );
    case NO_TOOLS.test(said):
      return fail(
        'refused',
        `The model cannot call tools, so it can do nothing here (status ${status}${said}). Choose another in ${remedies.model}.`,
      );
    case NOT_THERE.test(said):
      return fail(
        'refused',
        `The model's server does not offer this model in its region or to us (status ${status}${said}). Check ${remedies.model} and ${remedies.address}.`,
      );
    default:
      return fail(
        'refused',
        `The model's server refused the request (status ${status}${said}). What goes with a request is set in ${remedies.model}.`,
      );
  }
}

const TOO_LONG = /context.{0,20}(length|window)|too (long|large|many tokens)|maximum.{0,20}tokens|prompt is too long/i;
const NO_TOOLS =
  /(tool|function).{0,40}(not support|unsupported|not available)|(does not|doesn't|not) support.{0,30}(tool|function)/i;

/** As Bedrock and Azure say it. */
const NOT_THERE =
  /model identifier|on-demand throughput|(not|n't) (available|supported|accessible).{0,40}region|access to the model/i;

function withoutStatus(
  error: unknown,
  remedies: Remedies,
  fail: (kind: ModelProviderError['kind'], message: string) => ModelProviderError,
): ModelProviderError {
  const codes = causesOf(error).map((cause) => (cause as { code?: unknown } | null)?.code);
  if (codes.includes('UND_ERR_CONNECT_TIMEOUT'))
    return fail('unavailable', `The model's server did not take the connection in time. Check ${remedies.address}.`);
  if (codes.includes('UND_ERR_BODY_TIMEOUT') || codes.includes('UND_ERR_HEADERS_TIMEOUT'))
    return fail('unavailable', 'The model was silent for too long.');
  // Without a status there was no answer at all, unless the SDK says that what came is none.
  return isUnreadable(error)
    ? fail('broken', `The model gave no usable answer: ${reasonOf(error)}.`)
    : fail('unavailable', `The model cannot be reached. Check ${remedies.address}.`);
}

/** An error event of a stream that had begun well may carry the status it would have had. */
function statusInStream(error: unknown): number | undefined {
  const { type, code, status } = (error ?? {}) as { type?: unknown; code?: unknown; status?: unknown };
  if (type === 'overloaded_error') return 529;
  if (type === 'rate_limit_error') return 429;
  const number = [status, code].find((value) => typeof value === 'number' && value >= 400 && value < 600);
  return number as number | undefined;
}

/** Milliseconds; undefined where the server said nothing that can be read. */
export function retryAfterOf(
  headers: Readonly<Record<string, string>> | undefined,
  now = Date.now(),
): number | undefined {
  const exact = Number(headers?.['retry-after-ms']);
  if (Number.isFinite(exact) && exact > 0) return exact;
  const text = headers?.['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause !== undefined && cause !== null && causes.length < 8;) {
    causes.push(cause);
    cause = (cause as { lastError?: unknown; cause?: unknown }).lastError ?? (cause as { cause?: unknown }).cause;
  }
  return causes;
}

/** A failed connection is an error of fetch; what the SDK throws itself names what it could not read, and an error event is no Error at all. */
const isUnreadable = (error: unknown): boolean =>
  !APICallError.isInstance(error) && /^(?:AI_.*)?$/.test((error as { name?: string } | null)?.name ?? '');

/** What the server itself said, in brackets' company; its pages and addresses are left out. */
function wordsOf(error: unknown): string {
  const told = (error as { message?: unknown } | null)?.message;
  if (typeof told !== 'string' || told === '' || /[<>]|\/\//.test(told)) return '';
  return `: ${told.slice(0, 200).replace(/\.$/, '')}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'AI_InvalidResponseDataError') return 'it ended without its finish mark';
  const told = typeof error === 'string' ? error : (error as { message?: unknown } | null)?.message;
  return typeof told === 'string' && told !== '' && !/\/\/|[<>]/.test(told)
    ? told.slice(0, 200).replace(/\.$/, '')
    : 'the connection ended';
}
