import { createToolServer } from './call-tool.client.ts';
import { McpSession } from './mcp-session.client.ts';
import { listen, startMcpServer } from '../testing/real-servers.fixture.ts';
import type { McpSpy, RealServer } from '../testing/real-servers.fixture.ts';

const signal = new AbortController().signal;
let mcp: RealServer & McpSpy;
beforeEach(async () => void (mcp = await startMcpServer('bwt_bravo_x')));
afterEach(async () => mcp.close());
const open = (url = mcp.url, token = 'bwt_bravo_x', timeoutMs = 5_000) =>
  createToolServer('platform', new McpSession(url, `Bearer ${token}`), timeoutMs);

describe('the tool server', () => {
  it('is greeted as ZeroClaw greets it, and lists tools under its prefix', async () => {
    const tools = await open().listTools(signal);
    expect(tools.map(({ name }) => name)).toEqual(['platform__read_file', 'platform__execute_script']);
    expect(tools[0]).toMatchObject({
      description: 'does read_file',
      parameters: { type: 'object', properties: { path: {} } },
    });
    expect(mcp.seen.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    expect(mcp.seen[0]?.params).toMatchObject({
      protocolVersion: '2024-11-05',
      clientInfo: { name: 'bravo-agent-runtime' },
    });
    expect(mcp.seen[0]?.headers.authorization).toBe('Bearer bwt_bravo_x');
  });

  it('gives the model the whole result, and never carries consent', async () => {
    let args: unknown;
    mcp.onCall = async (name, given) => {
      args = given;
      return { content: [{ type: 'text', text: `${name}: 42` }] };
    };
    const text = await open().callTool('platform__read_file', '{"path":"a","approved":true}', signal);
    expect(JSON.parse(text)).toMatchObject({ content: [{ type: 'text', text: 'read_file: 42' }] });
    expect(args).toEqual({ path: 'a' });
  });

  it('greets once for many calls and sends them one after the other', async () => {
    let running = 0;
    let most = 0;
    mcp.onCall = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return { content: [{ type: 'text', text: 'ok' }] };
    };
    const tools = open();
    await Promise.all([1, 2, 3].map(() => tools.callTool('platform__read_file', '{}', signal)));
    expect(most).toBe(1);
    expect(mcp.seen.filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });

  it.each([
    [
      'an error result',
      async () => ({ content: [{ type: 'text' as const, text: 'not allowed' }], isError: true }),
      /^Error: not allowed$/,
    ],
    [
      'a long error result',
      async () => ({ content: [{ type: 'text' as const, text: 'x'.repeat(900) }], isError: true }),
      /^Error: x{493}$/,
    ],
    ['a failing handler', async () => Promise.reject(new Error('broke')), /^Error: /],
  ])('turns %s into text for the model', async (_what, onCall, text) => {
    mcp.onCall = onCall;
    expect(await open().callTool('platform__read_file', '{}', signal)).toMatch(text);
  });

  it.each([
    ['other__read_file', '{}', /no tool called/],
    ['platform__read_file', '[1]', /not a JSON object/],
    ['platform__read_file', '{', /not a JSON object/],
  ])('refuses %s with %s by itself', async (name, args, text) => {
    expect(await open().callTool(name, args, signal)).toMatch(text);
    expect(mcp.seen).toEqual([]);
  });

  it('cuts a huge result', async () => {
    mcp.onCall = async () => ({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] });
    expect(await open().callTool('platform__read_file', '{}', signal)).toHaveLength(50_000);
  });

  it('says so when the token is refused, nothing listens, or no answer comes in time', async () => {
    expect(await open(mcp.url, 'bwt_bravo_other').callTool('platform__read_file', '{}', signal)).toMatch(
      /did not accept the agent token/,
    );
    const gone = await startMcpServer('x');
    await gone.close();
    expect(await open(gone.url).callTool('platform__read_file', '{}', signal)).toMatch(/could not be reached/);
    mcp.onCall = () => new Promise(() => undefined);
    expect(await open(mcp.url, 'bwt_bravo_x', 50).callTool('platform__read_file', '{}', signal)).toMatch(/not known/);
  });

  it('ends the call at the server when the turn ends', async () => {
    const stop = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      mcp.onCall = (_name, _args, gone) => {
        gone.addEventListener('abort', () => resolve(), { once: true });
        stop.abort();
        return new Promise(() => undefined);
      };
    });
    await expect(open().callTool('platform__read_file', '{}', stop.signal)).rejects.toThrow();
    await stopped;
  });

  it('keeps the session id, opens a lost session anew and never repeats the failed call', async () => {
    const methods: string[] = [];
    let lost = false;
    const server = await listen((request, response, body) => {
      const { method, id } = JSON.parse(body) as { method: string; id?: number };
      methods.push(`${method} ${String(request.headers['mcp-session-id'] ?? '-')}`);
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'tools/call' && !lost) {
        lost = true;
        return void response.writeHead(404).end();
      }
      response.setHeader('content-type', 'application/json');
      if (method === 'initialize') response.setHeader('mcp-session-id', lost ? 's2' : 's1');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }));
    });
    const tools = open(server.url);
    expect(await tools.callTool('platform__a', '{}', signal)).toMatch(/not repeated/);
    expect(await tools.callTool('platform__b', '{}', signal)).not.toMatch(/^Error/);
    await server.close();
    expect(methods).toEqual([
      'initialize -',
      'notifications/initialized s1',
      'tools/call s1',
      'initialize -',
      'notifications/initialized s2',
      'tools/call s2',
    ]);
  });

  it('opens one session for all conversations, and what one waits for keeps no other waiting', async () => {
    const session = new McpSession(mcp.url, 'Bearer bwt_bravo_x');
    const [one, other] = [createToolServer('platform', session, 5_000), createToolServer('platform', session, 5_000)];
    let answer = (): void => undefined;
    mcp.onCall = async (name) => {
      if (name === 'read_file') await new Promise<void>((resolve) => (answer = resolve));
      return { content: [{ type: 'text', text: name }] };
    };
    await Promise.all([one.listTools(signal), other.listTools(signal)]);
    const waiting = one.callTool('platform__read_file', '{}', signal);
    expect(await other.callTool('platform__execute_script', '{}', signal)).toContain('execute_script');
    answer();
    expect(await waiting).toContain('read_file');
    expect(mcp.seen.filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });

  it('opens the session again for whoever comes after one that could not be opened', async () => {
    const stop = new AbortController();
    const session = new McpSession(mcp.url, 'Bearer bwt_bravo_x');
    const gaveUp = createToolServer('platform', session, 5_000).listTools(stop.signal);
    stop.abort();
    await expect(gaveUp).rejects.toThrow();
    expect(await createToolServer('platform', session, 5_000).listTools(signal)).toHaveLength(2);
  });
});
