/** What the loop needs of a model, and the one way in which a model fails it; how a model is reached stands elsewhere. */
import type { LoopMessage, ModelUsage, OfferedTool, ToolCall } from './conversation.ts';

export interface ModelAnswer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: ModelUsage;
  /** The model's own name, as the gateway reported it. */
  readonly model: string;
}

export type CallModel = (
  messages: readonly LoopMessage[],
  tools: readonly OfferedTool[],
  onText: (delta: string) => void,
  signal: AbortSignal,
  onThinking?: (delta: string) => void,
) => Promise<ModelAnswer>;

/** The model could not answer; `code` is the terminal frame's code. */
export class ModelError extends Error {
  constructor(
    readonly code: 'AUTH_ERROR' | 'PROVIDER_ERROR',
    message: string,
  ) {
    super(message);
  }
}
