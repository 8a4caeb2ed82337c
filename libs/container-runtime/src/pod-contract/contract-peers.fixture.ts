/**
 * The model and the tools behind a pod while its contract is checked: real HTTP servers that do what the newest message
 * says (`do: say …`, `do: call <tool> {…}`, `do: hang`), so that any runtime can be asked for anything from outside.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedModel {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly string[];
  readonly authorization: string | undefined;
  /** Whether its connection has ended before its answer had. */
  cut: boolean;
}
export interface CalledTool {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
  cut: boolean;
}

export interface ContractPeers {
  readonly modelUrl: string;
  readonly mcpUrl: string;
  /** Bearer of both. */
  readonly token: string;
  readonly asked: AskedModel[];
  readonly called: CalledTool[];
  /** Lets go of what `slow` holds. */
  release(): void;
  /** The next call of a tool meets a session that is gone. */
  loseNextCall(): void;
  close(): Promise<void>;
}

const TOOLS = ['read_file', 'echo', 'slow', 'fail'];

export const startContractPeers = async (ports: { model?: number; mcp?: number } = {}): Promise<ContractPeers> => {
  const token = 'bwt_bravo_contract0000000000';
  const asked: AskedModel[] = [];
  const called: CalledTool[] = [];
  const held = new Set<() => void>();
  let session = 1;
  let losing = false;
  const model = await listen(ports.model ?? 0, (request, response, body) => {
    const question = JSON.parse(body) as { messages: AskedModel['messages']; tools?: { function: { name: string } }[] };
    const tools = (question.tools ?? []).map((tool) => tool.function.name);
    const entry: AskedModel = {
      messages: question.messages,
      tools,
      authorization: request.headers.authorization,
      cut: false,
    };
    asked.push(entry);
    response.on('close', () => (entry.cut = !response.writableFinished));
    answerAsModel(entry, response, asked.length);
  });
  const mcp = await listen(ports.mcp ?? 0, (request, response, body) => {
    const message = JSON.parse(body || '{}') as { id?: number; method?: string; params?: Record<string, unknown> };
    const { method = '', params = {} } = message;
    const entry: CalledTool = { method, params, headers: request.headers, cut: false };
    called.push(entry);
    response.on('close', () => (entry.cut = !response.writableFinished));
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    const reply = (status: number, result?: object): void => {
      if (response.writableEnded) return;
      response.writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': `session-${session}` });
      response.end(result && JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    };
    if (losing && method === 'tools/call') {
      losing = false;
      session += 1;
    }
    const hold = (then: () => void): void => void held.add(then);
    answerAsTools(entry, message.id !== undefined, `session-${session}`, reply, hold);
  });
  return {
    modelUrl: `http://127.0.0.1:${portOf(model)}/v1`,
    mcpUrl: `http://127.0.0.1:${portOf(mcp)}/mcp`,
    token,
    asked,
    called,
    release: () => {
      for (const then of held) then();
      held.clear();
    },
    loseNextCall: () => (losing = true),
    close: async () => {
      for (const server of [model, mcp]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
};

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''));

/** Answers the newest message: after a tool's result with its beginning, else as it is told to. */
const answerAsModel = ({ messages }: AskedModel, response: ServerResponse, count: number): void => {
  const last = messages.at(-1);
  const [, verb = 'say', rest = 'nothing to do'] = /do: (\w+) ?([^\n]*)/.exec(textOf(last?.content)) ?? [];
  const chunk = (delta: object, finish: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ id: `c${count}`, object: 'chat.completion.chunk', model: 'contract-model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const end = (finish: string): void => {
    chunk({}, finish);
    response.write('data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":4,"total_tokens":14}}\n\n');
    response.end('data: [DONE]\n\n');
  };
  if (verb === 'refuse')
    return void response
      .writeHead(Number(rest), { 'content-type': 'application/json' })
      .end('{"error":{"message":"the model is away"}}');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (last?.role === 'tool') {
    for (const part of `the tool said ${textOf(last.content)}`.slice(0, 600).match(/.{1,40}/gs) ?? [])
      chunk({ content: part });
    return end('stop');
  }
  if (verb === 'hang')
    return chunk({ content: 'I begin, and what I have to say is long, and then nothing more comes of it' });
  if (verb === 'cut') {
    chunk({ content: 'half of it' });
    return void setTimeout(() => response.destroy(), 20);
  }
  if (verb === 'call') {
    const [, name = '', args = '{}'] = /^(\w+) ?(.*)$/.exec(rest) ?? [];
    const [first, second] = [args.slice(0, 5), args.slice(5)];
    chunk({ content: 'I call it.' });
    chunk({
      tool_calls: [
        { index: 0, id: `call_${count}`, type: 'function', function: { name: `platform__${name}`, arguments: first } },
      ],
    });
    chunk({ tool_calls: [{ index: 0, function: { arguments: second } }] });
    return end('tool_calls');
  }
  for (const word of rest.split(/(?<= )/)) chunk({ content: word });
  end('stop');
};

const answerAsTools = (
  { method, params, headers }: CalledTool,
  isRequest: boolean,
  session: string,
  reply: (status: number, result?: object) => void,
  hold: (then: () => void) => void,
): void => {
  if (!isRequest) return reply(202);
  if (method === 'initialize')
    return reply(200, {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'contract', version: '1' },
    });
  if (headers['mcp-session-id'] !== session) return reply(404);
  if (method === 'tools/list')
    return reply(200, {
      tools: TOOLS.map((name) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' } })),
    });
  const text = (said: string, more: object = {}) => ({ content: [{ type: 'text', text: said }], ...more });
  switch (params['name']) {
    case 'slow':
      return hold(() => reply(200, text('at last')));
    case 'fail':
      return reply(200, text('it is not allowed', { isError: true }));
    case 'echo':
      return reply(200, text(JSON.stringify(params['arguments']), { structuredContent: { marker: 'whole result' } }));
    default:
      return reply(200, text('the file'));
  }
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const listen = async (
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Server> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => handle(request, response, text));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
};
