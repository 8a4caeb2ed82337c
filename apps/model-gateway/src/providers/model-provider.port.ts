/**
 * The port every source of inference implements; it names no vendor and no wire format.
 *
 * A provider either yields exactly one `finish` as its last event or throws: an answer that was cut off must never
 * look like a short one.
 */

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
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

export interface ModelRequest {
  /** An id this provider lists. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Absent: the provider's own default. */
  readonly temperature?: number;
  /** Absent: the provider's own default. */
  readonly maxOutputTokens?: number;
  /** Aborted when nobody waits for the answer any more; the provider stops its upstream at once. */
  readonly signal: AbortSignal;
}

/** Null where the provider reported none. */
export interface TokenCounts {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  /** A whole call, never a piece of one. */
  | { readonly type: 'tool_call'; readonly call: ModelToolCall }
  | {
      readonly type: 'finish';
      readonly reason: 'stop' | 'tool_calls' | 'length' | 'content_filter';
      readonly usage: TokenCounts;
    };

export interface ModelDescription {
  /** What callers ask for: `demo` or `<provider>/<model>`. */
  readonly id: string;
  readonly provider: string;
  /** For people. */
  readonly label: string;
  /** True for a planner that is no language model. */
  readonly demo: boolean;
}

export interface ModelProvider {
  /** The models on offer; the first is the default. Never empty. */
  readonly models: readonly [ModelDescription, ...ModelDescription[]];
  /** @throws ModelProviderError, or the signal's reason when it was aborted. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** Why no whole answer came. `message` may be shown to people: it holds no key, no address and no upstream body beyond its own reason. */
export class ModelProviderError extends Error {
  constructor(
    /** `unavailable`: not reached or overloaded; `refused`: the provider will not take this request; `broken`: the answer was cut off or makes no sense. */
    readonly kind: 'unavailable' | 'refused' | 'broken',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
