/**
 * The port every source of inference implements; it names no vendor and no wire format.
 *
 * A provider either yields exactly one `finish` as its last event or throws: an answer that was cut off must never
 * look like a short one.
 */

/** Base64 of a picture whose kind the caller stated; a provider fetches no address. */
export interface ModelPicture {
  /** For example image/png. */
  readonly mediaType: string;
  readonly data: string;
}

export type ModelMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly pictures?: readonly ModelPicture[] }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Cheapest first. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];
export const isEffort = (word: string): word is Effort => (EFFORTS as readonly string[]).includes(word);

export interface ModelRequest {
  /** As the provider itself names the model. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Absent: the provider's own default. */
  readonly temperature?: number;
  /** Absent: the provider's own default. */
  readonly maxOutputTokens?: number;
  /** How hard to think; absent: no such field is sent and the provider's own default holds. */
  readonly effort?: Effort;
  /** Told of every sign of life, also of those that are no event: a long tool call arrives in many pieces. */
  readonly onAlive?: () => void;
  /** Aborted when nobody waits for the answer any more; the provider stops its upstream at once. */
  readonly signal: AbortSignal;
}

/** Null where the provider reported none. */
export interface TokenCounts {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  /** What the model says it thinks; no part of its answer. */
  | { readonly type: 'reasoning'; readonly delta: string }
  /** A whole call, never a piece of one. */
  | { readonly type: 'tool_call'; readonly call: ModelToolCall }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: TokenCounts };

/** One model, as its provider lists it. */
export interface ProviderModel {
  /** What a request names. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** Tokens of a prompt; null where nobody said. */
  readonly contextTokens: number | null;
  /** Tokens of one answer; null where nobody said. */
  readonly outputTokens: number | null;
  /** Whether a level of effort is read: "unknown" is not "unread", and a level then goes out to be judged. */
  readonly effort: 'read' | 'unread' | 'unknown';
  /** True for a planner that is no language model. */
  readonly demo: boolean;
}

export interface ModelProvider {
  /** Its id in the settings. */
  readonly id: string;
  /** The heading its models stand under. */
  readonly label: string;
  /** Models that can call tools. @throws ModelProviderError */
  listModels(signal: AbortSignal): Promise<readonly ProviderModel[]>;
  /** @throws ModelProviderError, or the signal's reason when it was aborted. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/**
 * `unavailable`: not reached, overloaded or silent; `throttled`: it asked to be left alone for a while; `unauthorized`: it
 * refused our key, or there is none; `refused`: it will not take this request; `broken`: the answer was cut off or makes no sense.
 */
export type ProviderFailure = 'unavailable' | 'throttled' | 'unauthorized' | 'refused' | 'broken';

/** Why no whole answer came. `message` may be shown to people: it holds no key, no address and no upstream body beyond its own reason. */
export class ModelProviderError extends Error {
  readonly kind: ProviderFailure;
  /** The provider's own word on when to come back. */
  readonly retryAfterMs: number | undefined;
  constructor(
    kind: ProviderFailure,
    message: string,
    options: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}
