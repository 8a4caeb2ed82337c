/** The shapes the loop and its two clients share; they mirror the OpenAI chat format and hold no behaviour. */

export interface ToolCall {
  readonly id: string;
  /** `<server>__<tool>`, as offered. */
  readonly name: string;
  /** JSON text as the model wrote it; it may be malformed. */
  readonly arguments: string;
}

export type LoopMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface OfferedTool {
  /** `<server>__<tool>`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Token counts of one model answer; null when the model gateway gave none. */
export interface ModelUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}
