/**
 * What a question may come to before its provider says so. What is reserved is high on purpose, so that the sum of what runs
 * never passes a limit; what is not used comes back at the end.
 */
import type { Effort, ModelMessage, ModelRequest } from '../providers/model-provider.port.ts';

/** Most text has four bytes a token, code and other scripts fewer; two is below what any common text has. */
const BYTES_PER_TOKEN_AT_LEAST = 2;
const BYTES_PER_TOKEN_USUALLY = 4;
/** What a provider may take for a picture, whatever its size. */
const PICTURE_TOKENS = 2_000;
/** What thinking may take beside the answer, where a vendor turns a level into a budget. */
const THINKING: Readonly<Record<Effort, number>> = {
  low: 8_000,
  medium: 20_000,
  high: 40_000,
  xhigh: 60_000,
  max: 64_000,
};

type Question = Pick<ModelRequest, 'messages' | 'tools' | 'effort'>;

export const mostInputTokens = (question: Question): number => inputTokens(question, BYTES_PER_TOKEN_AT_LEAST);
export const usualInputTokens = (question: Question): number => inputTokens(question, BYTES_PER_TOKEN_USUALLY);
export const thinkingTokens = ({ effort }: Pick<ModelRequest, 'effort'>): number =>
  effort === undefined ? 0 : THINKING[effort];
export const usualTokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN_USUALLY);

export const usualTokensOfMessage = (message: ModelMessage): number => {
  const { bytes, pictures } = sizeOf(message);
  return Math.ceil(bytes / BYTES_PER_TOKEN_USUALLY) + pictures * PICTURE_TOKENS;
};
export const usualTokensOfTools = (tools: Question['tools']): number =>
  tools.length === 0 ? 0 : usualTokensOf(JSON.stringify(tools));

function inputTokens({ messages, tools }: Question, bytesPerToken: number): number {
  const sizes = messages.map(sizeOf);
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const pictures = sizes.reduce((sum, size) => sum + size.pictures, 0);
  const ofTools = tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(tools));
  return Math.ceil((bytes + ofTools) / bytesPerToken) + pictures * PICTURE_TOKENS;
}

function sizeOf(message: ModelMessage): { readonly bytes: number; readonly pictures: number } {
  // Marks of the role and of the turn.
  let bytes = 16 + Buffer.byteLength(message.content);
  if (message.role === 'assistant')
    for (const call of message.toolCalls)
      bytes += 16 + Buffer.byteLength(call.name) + Buffer.byteLength(call.arguments);
  return { bytes, pictures: message.role === 'user' ? (message.pictures?.length ?? 0) : 0 };
}
