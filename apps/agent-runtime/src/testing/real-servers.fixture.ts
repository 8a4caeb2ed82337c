/** Real servers for this app's specs: an MCP server on the SDK the broker uses, and a model server that speaks the OpenAI stream. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';

export interface RealServer {
  readonly url: string;
  close(): Promise<void>;
}

/** On a free port unless one is named. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  port = 0,
): Promise<RealServer> {
  const server: HttpServer = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => handle(request, response, text));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}
export interface McpSpy {
  /** Every JSON-RPC message that arrived, with its headers. */
  readonly seen: { method: string; params: Record<string, unknown>; headers: IncomingMessage['headers'] }[];
  /** Runs a call of any tool. */
  onCall: (name: string, args: Record<string, unknown>, signal: AbortSignal) => Promise<ToolResult>;
  tools: string[];
}

/** The broker's legacy leg: stateless, plain JSON, one server for every request. */
export async function startMcpServer(token: string, port = 0): Promise<RealServer & McpSpy> {
  const spy: McpSpy = {
    seen: [],
    onCall: async (name) => ({ content: [{ type: 'text', text: `${name} done` }] }),
    tools: ['read_file', 'execute_script'],
  };
  const http = await listen((request, response, body) => {
    const message = JSON.parse(body) as { method: string; params?: Record<string, unknown> };
    spy.seen.push({ method: message.method, params: message.params ?? {}, headers: request.headers });
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end('{}');
    void serve(spy, request, response, message);
  }, port);
  return Object.assign(spy, http, { url: `${http.url}/mcp/` });
}

async function serve(spy: McpSpy, request: IncomingMessage, response: ServerResponse, message: unknown): Promise<void> {
  const mcp = new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler('tools/list', async () => ({
    tools: spy.tools.map((name) => ({
      name,
      description: `does ${name}`,
      inputSchema: { type: 'object' as const, properties: { path: { type: 'string' } } },
    })),
  }));
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  mcp.server.setRequestHandler('tools/call', async ({ params }) => ({
    ...(await spy.onCall(params.name, params.arguments ?? {}, gone.signal)),
  }));
  const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
  await mcp.connect(transport);
  response.on('close', () => void mcp.close());
  await transport.handleRequest(request, response, message);
}

export interface ModelQuestion {
  readonly messages: { role: string; content: string; tool_call_id?: string }[];
  readonly tools?: { function: { name: string } }[];
}
export interface ModelSpy {
  readonly asked: ModelQuestion[];
  /** Writes the whole answer; see `say`. */
  answer: (question: ModelQuestion, response: ServerResponse) => void;
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: 'test-model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** A finished answer: words, then calls. */
export function say(
  response: ServerResponse,
  words: readonly string[],
  calls: readonly { id: string; name: string; args: object }[] = [],
): void {
  for (const content of words) response.write(chunk({ content }));
  calls.forEach(({ id, name, args }, index) =>
    response.write(
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }),
    ),
  );
  response.write(chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'));
  response.end('data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}\n\ndata: [DONE]\n\n');
}

export async function startModelServer(): Promise<RealServer & ModelSpy> {
  const spy: ModelSpy = { asked: [], answer: (_question, response) => say(response, ['Hel', 'lo']) };
  const http = await listen((_request, response, body) => {
    const question = JSON.parse(body) as ModelQuestion;
    spy.asked.push(question);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    spy.answer(question, response);
  });
  return Object.assign(spy, http, { url: `${http.url}/v1` });
}
