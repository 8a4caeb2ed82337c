/** Translates the port's messages and tools into the SDK's; a result without its call keeps its text under a neutral name. */
import { jsonSchema, tool } from 'ai';
import type { ModelMessage as SdkMessage, ToolSet } from 'ai';
import type { ModelMessage, ModelTool } from '../model-provider.port.ts';

export function toModelMessages(messages: readonly ModelMessage[]): SdkMessage[] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map(({ id, name }) => [id, name] as const) : [],
    ),
  );
  return messages.map((message): SdkMessage => {
    switch (message.role) {
      case 'assistant':
        return {
          role: 'assistant',
          content: [
            ...(message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]),
            ...message.toolCalls.map(({ id, name, arguments: text }) => ({
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: name,
              input: parse(text),
            })),
          ],
        };
      case 'tool': {
        const toolName = names.get(message.toolCallId) ?? 'tool';
        return {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: message.toolCallId,
              toolName,
              output: { type: 'text', value: message.content },
            },
          ],
        };
      }
      default:
        return { role: message.role, content: message.content };
    }
  });
}

/** None has an `execute`: the SDK must never run a tool, only the pod's broker may. */
export function toToolSet(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

/** Malformed arguments of an older call stay text; the SDK sends them back as such. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
