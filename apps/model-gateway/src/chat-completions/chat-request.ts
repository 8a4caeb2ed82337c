/** Reads the body of a chat completion: what this gateway takes of the OpenAI format, and one sentence about anything it does not. */
import { Fault } from '@bravo/faults';
import { z } from 'zod';
import type { Question } from '../answers/answer-call.ts';
import type { ModelMessage, ModelPicture } from '../providers/model-provider.port.ts';

const TextPart = z.object({ type: z.literal('text', 'only text can be sent'), text: z.string() });
/** Bytes that came with the request: an address would be one more way out. */
const PICTURE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/;
const PicturePart = z.object({
  type: z.literal('image_url', 'only text and pictures can be sent'),
  image_url: z.object({
    url: z
      .string()
      .regex(PICTURE, 'a picture is sent as data:image/png;base64,… (png, jpeg, gif or webp), never as an address'),
  }),
});
const UserContent = z.union([
  z.string().transform((text) => ({ text, pictures: [] as ModelPicture[] })),
  z.array(z.discriminatedUnion('type', [TextPart, PicturePart])).transform((parts) => ({
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    pictures: parts.flatMap((part) => (part.type === 'text' ? [] : [toPicture(part.image_url.url)])),
  })),
]);
const Content = z.union([z.string(), z.array(TextPart).transform((parts) => parts.map(({ text }) => text).join('\n'))]);
const ToolCall = z.object({
  id: z.string().min(1),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});
const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: Content }),
  z.object({ role: z.literal('user'), content: UserContent }),
  z.object({ role: z.literal('assistant'), content: Content.nullish(), tool_calls: z.array(ToolCall).nullish() }),
  z.object({ role: z.literal('tool'), content: Content, tool_call_id: z.string().min(1) }),
]);
const Tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'a tool name has 1 to 64 letters, digits, dashes and underscores'),
    description: z.string().default(''),
    parameters: z.record(z.string(), z.unknown()).default({ type: 'object', properties: {} }),
  }),
});
const ChatBody = z.object({
  model: z.string().min(1).default('default'),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  n: z.literal(1, 'exactly one answer can be asked for').nullish(),
});

export interface ChatRequest {
  readonly question: Omit<Question, 'signal'>;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

/** Members this gateway does not know are ignored, as every OpenAI-compatible server does. @throws Fault invalid_argument */
export function readChatRequest(body: unknown): ChatRequest {
  const read = ChatBody.safeParse(body);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new Fault('invalid_argument', `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'is not valid'}.`);
  }
  const { model, messages, tools, stream, stream_options, temperature, max_tokens, max_completion_tokens } = read.data;
  const maxOutputTokens = max_completion_tokens ?? max_tokens;
  return {
    question: {
      model,
      messages: messages.map(toMessage),
      tools: (tools ?? []).map((tool) => tool.function),
      ...(typeof temperature === 'number' && { temperature }),
      ...(typeof maxOutputTokens === 'number' && { maxOutputTokens }),
    },
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
  };
}

function toMessage(message: z.output<typeof Message>): ModelMessage {
  switch (message.role) {
    case 'assistant': {
      const toolCalls = (message.tool_calls ?? []).map((call) => ({ id: call.id, ...call.function }));
      return { role: 'assistant', content: message.content ?? '', toolCalls };
    }
    case 'tool':
      return { role: 'tool', toolCallId: message.tool_call_id, content: message.content };
    case 'user': {
      const { text, pictures } = message.content;
      return { role: 'user', content: text, ...(pictures.length > 0 && { pictures }) };
    }
    case 'system':
    case 'developer':
      return { role: 'system', content: message.content };
  }
}

function toPicture(url: string): ModelPicture {
  const [, mediaType = '', data = ''] = PICTURE.exec(url) ?? [];
  return { mediaType, data };
}
