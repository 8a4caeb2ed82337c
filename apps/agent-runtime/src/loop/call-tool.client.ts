/**
 * Lists and calls the broker's tools over an MCP session, one request at a time, under the names the model sees
 * (`<server>__<tool>`).
 *
 * A call never throws for what the tool or the broker answered: the model reads every failure as text that begins
 * with `Error:`. Only the end of the turn (its signal) throws.
 */
import type { OfferedTool } from './conversation.ts';
import { McpError, type McpSession } from './mcp-session.client.ts';
import type { ToolServer } from './tool-server.ts';

const LIST_MS = 30_000;
/** What the model is given of one result; the same cuts as ZeroClaw's, so that prompts behave alike on both. */
const MAX_RESULT_CHARACTERS = 50_000;
const MAX_ERROR_CHARACTERS = 500;

/** `session` may be shared: what one tool server waits for keeps no other waiting. */
export function createToolServer(server: string, session: McpSession, callTimeoutMs: number): ToolServer {
  const prefix = `${server}__`;
  let last: Promise<unknown> = Promise.resolve();
  const request = (...asked: Parameters<McpSession['request']>): Promise<Record<string, unknown>> => {
    const turn = last.then(() => session.request(...asked));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    async listTools(signal) {
      const { tools } = await request('tools/list', {}, LIST_MS, signal);
      return (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) => offered(prefix, tool));
    },
    async callTool(name, argumentsJson, signal) {
      if (!name.startsWith(prefix)) return `Error: there is no tool called ${name}.`;
      const args = parseArguments(argumentsJson);
      if (args === undefined) return 'Error: the arguments are not a JSON object.';
      try {
        const params = { name: name.slice(prefix.length), arguments: args };
        return describe(await request('tools/call', params, callTimeoutMs, signal));
      } catch (error) {
        if (signal.aborted || !(error instanceof McpError)) throw error;
        return `Error: ${error.message.slice(0, MAX_ERROR_CHARACTERS)}`;
      }
    },
  };
}

function offered(prefix: string, tool: unknown): OfferedTool[] {
  const { name, description, inputSchema } = (tool ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return [];
  return [
    {
      name: prefix + name,
      description: typeof description === 'string' ? description : '',
      parameters: typeof inputSchema === 'object' && inputSchema !== null ? { ...inputSchema } : { type: 'object' },
    },
  ];
}

/** An argument called `approved` is dropped: consent is never something a pod may carry. */
function parseArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    const { approved: _approved, ...args } = parsed as Record<string, unknown>;
    return args;
  } catch {
    return undefined;
  }
}

function describe(result: Record<string, unknown>): string {
  if (result['isError'] === true) {
    const parts = Array.isArray(result['content']) ? (result['content'] as { type?: string; text?: string }[]) : [];
    const text = parts
      .map((part) => part.text ?? '')
      .filter(Boolean)
      .join('\n');
    return `Error: ${text || 'the tool failed without a reason'}`.slice(0, MAX_ERROR_CHARACTERS);
  }
  return JSON.stringify(result, null, 2).slice(0, MAX_RESULT_CHARACTERS);
}
