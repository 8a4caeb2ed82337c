/** Translates the port's messages and tools into the SDK's; a result without its call keeps its text under a neutral name. */
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelMessage, ModelTool } from '../model-provider.port.ts';

export function toPrompt(messages: readonly ModelMessage[]): LanguageModelV4Prompt {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map(({ id, name }) => [id, name] as const) : [],
    ),
  );
  return messages.map((message): LanguageModelV4Prompt[number] => {
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
        const output = { type: 'text' as const, value: message.content };
        return { role: 'tool', content: [{ type: 'tool-result', toolCallId: message.toolCallId, toolName, output }] };
      }
      case 'user':
        return {
          role: 'user',
          content: [
            { type: 'text', text: message.content },
            ...(message.pictures ?? []).map(({ mediaType, data }) => ({
              type: 'file' as const,
              mediaType,
              data: { type: 'data' as const, data },
            })),
          ],
        };
      case 'system':
        return { role: 'system', content: message.content };
    }
  });
}

/** Descriptions only: nothing here can run a tool, only the pod's broker may. */
export const toTools = (tools: readonly ModelTool[]): LanguageModelV4FunctionTool[] =>
  tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, inputSchema: parameters }));

/** Malformed arguments of an older call stay text; the SDK sends them back as such. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
