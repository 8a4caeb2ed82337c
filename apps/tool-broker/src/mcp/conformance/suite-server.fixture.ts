/** The server of the conformance build: what the suite calls, behind the broker's own endpoint. Sessions are there only for old clients that want to be asked in the middle of a call; the broker itself never asks one. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { createRequestStateCodec, isInitializeRequest, McpServer, ProtocolError } from '@modelcontextprotocol/server';
import type { McpNotify, ReplacedServer } from '../mcp.http.ts';
import { type CallContext, elicitation, filledIn, type Json, need, PNG, SUITE_TOOLS } from './suite-tools.fixture.ts';

const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
};
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

const RESOURCES = [
  ['static-text', 'text/plain'],
  ['static-binary', 'image/png'],
  ['watched-resource', 'text/plain'],
  ['example-resource', 'text/plain'],
].map(([name = '', mimeType]) => ({ uri: `test://${name}`, name, description: name, mimeType }));
const TEMPLATES = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'Template', mimeType: 'application/json' },
];

const readResource = (uri: string): Json => {
  const content = (mimeType: string, more: Json): Json => ({ contents: [{ uri, mimeType, ...more }] });
  if (uri === 'test://static-text')
    return content('text/plain', { text: 'This is the content of the static text resource.' });
  if (uri === 'test://static-binary') return content('image/png', { blob: PNG });
  if (RESOURCES.some((known) => known.uri === uri)) return content('text/plain', { text: 'content' });
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) throw new ProtocolError(-32602, 'Resource not found', { uri });
  return content('application/json', { text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) });
};

const PROMPTS = [
  { name: 'test_simple_prompt', description: 'Simple' },
  {
    name: 'test_prompt_with_arguments',
    description: 'Arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Embedded',
    arguments: [{ name: 'resourceUri', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'Image' },
  { name: 'test_input_required_result_prompt', description: 'Asks first' },
];
const said = (...contents: unknown[]): Json => ({ messages: contents.map((content) => ({ role: 'user', content })) });
const words = (of: string) => ({ type: 'text', text: of });

const getPrompt = (name: string, given: Json, context: CallContext): Json => {
  switch (name) {
    case 'test_simple_prompt':
      return said(words('This is a simple prompt for testing.'));
    case 'test_prompt_with_arguments':
      return said(words(`Prompt with arguments: arg1='${String(given['arg1'])}', arg2='${String(given['arg2'])}'`));
    case 'test_prompt_with_embedded_resource': {
      const embedded = {
        uri: given['resourceUri'],
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      };
      return said({ type: 'resource', resource: embedded }, words('Please process the embedded resource above.'));
    }
    case 'test_prompt_with_image':
      return said({ type: 'image', data: PNG, mimeType: 'image/png' }, words('Please analyze the image above.'));
    case 'test_input_required_result_prompt': {
      const answer = filledIn(context.responses, 'user_context');
      const asked = elicitation('What context should the prompt use?', { context: { type: 'string' } }, ['context']);
      return answer ? said(words(`Context: ${String(answer['context'])}`)) : need({ user_context: asked });
    }
    default:
      throw new ProtocolError(-32602, `Unknown prompt: ${name}`);
  }
};

/** Gives the schemas to the protocol layer, which checks headers by them, as the broker's own server does. */
class SuiteServer extends McpServer {
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return SUITE_TOOLS.get(name)?.inputSchema;
  }
}

const codec = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 600 });

/** The SDK's own context, as far as it is used; its request part differs by era. */
interface Request {
  readonly mcpReq: {
    readonly inputResponses?: CallContext['responses'];
    requestState(): Json | undefined;
    readonly envelope?: Record<string, Json>;
    readonly _meta?: { readonly progressToken?: string | number };
    notify(notification: unknown): Promise<void>;
    log(level: string, data: unknown): Promise<void>;
    elicitInput(params: unknown): Promise<Json>;
    requestSampling(params: unknown): Promise<Json>;
  };
  readonly http?: { readonly closeSSE?: () => void };
}

const contextOf = (context: Request, notify: McpNotify): CallContext => {
  const { mcpReq } = context;
  return {
    responses: mcpReq.inputResponses,
    state: mcpReq.requestState(),
    capabilities: mcpReq.envelope?.[CLIENT_CAPABILITIES] ?? {},
    progressToken: mcpReq._meta?.progressToken,
    mint: (state) => codec.mint(state, context as never),
    notify: (notification) => mcpReq.notify(notification),
    log: (level, data) => mcpReq.log(level, data),
    elicit: (params) => mcpReq.elicitInput(params),
    sample: (params) => mcpReq.requestSampling(params),
    changed: (kind) => (kind === 'tools' ? notify.toolsChanged() : notify.promptsChanged()),
    closeStream: context.http?.closeSSE,
  };
};

const build: ReplacedServer['build'] = ({ era }, notify) => {
  const modern = era === 'modern';
  const mcp = new SuiteServer(
    { name: 'bravo-tool-broker-conformance', version: '1.0.0' },
    { capabilities: CAPABILITIES, requestState: { verify: codec.verify } },
  );
  const server = mcp.server as unknown as {
    setRequestHandler(method: string, handle: (request: { params: Json }, context: Request) => Promise<Json>): void;
  };
  server.setRequestHandler('tools/list', async () => ({
    tools: [...SUITE_TOOLS.values()]
      .filter((tool) => modern || !tool.modern)
      .map(({ name, inputSchema }) => ({ name, description: `conformance: ${name}`, inputSchema })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = SUITE_TOOLS.get(String(params['name']));
    if (tool === undefined || (tool.modern && !modern))
      throw new ProtocolError(-32602, `Unknown tool: ${String(params['name'])}`);
    return tool.run((params['arguments'] ?? {}) as Json, contextOf(context, notify));
  });
  server.setRequestHandler('resources/list', async () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', async ({ params }) => readResource(String(params['uri'])));
  server.setRequestHandler('resources/subscribe', async () => ({}));
  server.setRequestHandler('resources/unsubscribe', async () => ({}));
  server.setRequestHandler('prompts/list', async () => ({ prompts: modern ? PROMPTS : PROMPTS.slice(0, -1) }));
  server.setRequestHandler('prompts/get', async ({ params }, context) =>
    getPrompt(String(params['name']), (params['arguments'] ?? {}) as Json, contextOf(context, notify)),
  );
  server.setRequestHandler('completion/complete', async () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  return mcp;
};

type Stored = { readonly id: string; readonly stream: string; readonly message: object };

/** What a client that comes back to a stream has missed of it. */
const createEventStore = () => {
  const events: Stored[] = [];
  return {
    storeEvent: async (stream: string, message: object): Promise<string> => {
      const id = `${stream}_${events.length + 1}`;
      events.push({ id, stream, message });
      return id;
    },
    replayEventsAfter: async (
      last: string,
      { send }: { send: (id: string, message: never) => Promise<void> },
    ): Promise<string> => {
      const at = events.findIndex(({ id }) => id === last);
      const stream = events[at]?.stream ?? last.replace(/_\d+$/, '');
      for (const event of events.slice(at + 1))
        if (event.stream === stream && Object.keys(event.message).length > 0)
          await send(event.id, event.message as never);
      return stream;
    },
  };
};

const NO_NOTIFY = { toolsChanged: () => undefined, promptsChanged: () => undefined } as unknown as McpNotify;

export const createSuiteServer = (): ReplacedServer => {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  /** Of every session there was: one that is over is answered as such. */
  const known = new Set<string>();
  const sessionOf = (request: IncomingMessage): string => String(request.headers['mcp-session-id'] ?? '');
  return {
    build,
    claims: (request, body) => {
      if (known.has(sessionOf(request))) return true;
      return request.method === 'POST' && isInitializeRequest(body) && body.params.protocolVersion >= '2025-03-26';
    },
    serveSession: async (request, response, body) => {
      const session = sessions.get(sessionOf(request));
      if (session !== undefined) return session.handleRequest(request, response, body);
      if (known.has(sessionOf(request))) {
        const error = { code: -32001, message: 'Session not found' };
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
        return;
      }
      const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        eventStore: createEventStore() as never,
        retryInterval: 500,
        onsessioninitialized: (id) => {
          known.add(id);
          sessions.set(id, transport);
        },
      });
      transport.onclose = () => void sessions.delete(transport.sessionId ?? '');
      await build({ era: 'legacy' }, NO_NOTIFY).connect(transport);
      return transport.handleRequest(request, response, body);
    },
  };
};
