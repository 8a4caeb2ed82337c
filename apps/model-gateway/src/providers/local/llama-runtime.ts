/** What is used of node-llama-cpp, which is installed only where somebody chose the local model: hence its shapes are written here. */

export type ChatItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

interface ChatResponse {
  readonly metadata: { readonly stopReason: string };
}

interface TokenState {
  readonly usedInputTokens: number;
  readonly usedOutputTokens: number;
}

interface Sequence {
  readonly tokenMeter: { getState(): TokenState; diff(state: TokenState): TokenState };
  clearHistory(): Promise<void>;
}

interface Chat {
  generateResponse(
    history: readonly ChatItem[],
    options: {
      readonly signal: AbortSignal;
      readonly maxTokens: number;
      readonly temperature?: number;
      readonly onTextChunk: (text: string) => void;
    },
  ): Promise<ChatResponse>;
}

export interface LlamaRuntime {
  getLlama(options: object): Promise<{
    loadModel(options: object): Promise<{
      tokenize(text: string): { readonly length: number };
      createContext(options: object): Promise<{ getSequence(): Sequence }>;
    }>;
  }>;
  readonly LlamaChat: new (options: { readonly contextSequence: Sequence }) => Chat;
}

export interface AnswerOptions {
  readonly signal: AbortSignal;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly onText: (text: string) => void;
}

export interface LoadedModel {
  /** `cut`: it ended for its length. */
  answer(
    history: readonly ChatItem[],
    options: AnswerOptions,
  ): Promise<{ readonly inputTokens: number; readonly outputTokens: number; readonly cut: boolean }>;
}

/** The conversation leaves no room for an answer. */
export class WindowTooSmall extends Error {}

const LEAST_ANSWER = 128;

export async function createLlamaModel(
  { getLlama, LlamaChat }: LlamaRuntime,
  modelPath: string,
  contextSize: number,
): Promise<LoadedModel> {
  // Nothing is built or downloaded at run time: the prebuilt program for the processor, or a refusal.
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1, logLevel: 'error', progressLogs: false });
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const context = await model.createContext({ contextSize, threads: 1, sequences: 1 });
  const sequence = context.getSequence();
  return {
    answer: async (history, { signal, maxTokens, temperature, onText }) => {
      const said = history.map((item) => (item.type === 'model' ? item.response.join('') : item.text)).join('\n');
      // Longer ones would be shortened by the runtime after minutes of work; the person is told at once instead.
      if (model.tokenize(said).length + LEAST_ANSWER > contextSize) throw new WindowTooSmall();
      // Nothing of another conversation stays in the model's memory.
      await sequence.clearHistory();
      const before = sequence.tokenMeter.getState();
      const chat = new LlamaChat({ contextSequence: sequence });
      const { metadata } = await chat.generateResponse(history, {
        signal,
        maxTokens,
        onTextChunk: onText,
        ...(temperature !== undefined && { temperature }),
      });
      const used = sequence.tokenMeter.diff(before);
      return {
        inputTokens: used.usedInputTokens,
        outputTokens: used.usedOutputTokens,
        cut: metadata.stopReason === 'maxTokens',
      };
    },
  };
}
