/** The pod as the orchestrator meets it: over HTTP and a WebSocket, with a real MCP server and a real model server behind it. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { podPorts } from '../testing/pod-ports.fixture.ts';
import { say, startMcpServer, startModelServer } from '../testing/real-servers.fixture.ts';
import type { McpSpy, ModelSpy, RealServer } from '../testing/real-servers.fixture.ts';
import { createGateway } from './serve-gateway.http.ts';

type Frame = { type: string } & Record<string, unknown>;
const TERMINAL = ['done', 'aborted', 'error'];
const SECRET = 'pod-secret';
const authorization = { authorization: `Bearer ${SECRET}` };

let mcp: RealServer & McpSpy;
let model: RealServer & ModelSpy;
let pod: Server;
let base: string;
const sockets: WebSocket[] = [];

beforeEach(async () => {
  mcp = await startMcpServer('bwt_bravo_x');
  model = await startModelServer();
  const ports = podPorts({ mcpUrl: mcp.url, modelUrl: model.url, token: 'bwt_bravo_x', secret: SECRET });
  pod = createGateway(ports);
  await new Promise<void>((resolve) => pod.listen(0, '127.0.0.1', resolve));
  base = `127.0.0.1:${(pod.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  pod.closeAllConnections();
  await new Promise((resolve) => pod.close(resolve));
  await mcp.close();
  await model.close();
});

interface Chat {
  readonly frames: Frame[];
  readonly socket: WebSocket;
  send(frame: unknown): void;
  /** The next frame of one of these types that was not waited for before. */
  next(...types: string[]): Promise<Frame>;
}

async function connect(
  session = 'cnv_1',
  options: { query?: string; protocols?: string[]; headers?: Record<string, string> } = {},
): Promise<Chat> {
  const { query = '', protocols = [], headers = authorization } = options;
  const socket = new WebSocket(`ws://${base}/ws/chat?agent=worker&session_id=${session}${query}`, protocols, {
    headers,
  });
  sockets.push(socket);
  const frames: Frame[] = [];
  let seen = 0;
  let wake: () => void = () => undefined;
  socket.on('message', (data) => {
    frames.push(JSON.parse(data.toString()) as Frame);
    wake();
  });
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    frames,
    socket,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    async next(...types) {
      for (;;) {
        const index = frames.findIndex((frame, at) => at >= seen && types.includes(frame.type));
        if (index !== -1) {
          seen = index + 1;
          return frames[index] as Frame;
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
const get = (path: string, headers: Record<string, string> = authorization) =>
  fetch(`http://${base}${path}`, { headers });
const abort = (session: string) =>
  fetch(`http://${base}/api/sessions/${session}/abort`, { method: 'POST', headers: authorization });

describe('HTTP', () => {
  it('tells everybody that it is alive, and nobody else anything', async () => {
    const health = (await (await get('/health', {})).json()) as Record<string, unknown>;
    expect(health).toMatchObject({
      status: 'ok',
      paired: true,
      require_pairing: true,
      runtime: { pid: process.pid, components: { mcp: { status: 'starting' } } },
    });
    for (const path of ['/api/tools?agent=worker', '/api/sessions/x/state'])
      expect((await get(path, {})).status).toBe(401);
    expect((await get('/api/tools', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect(await (await get('/api/nothing')).json()).toMatchObject({ error: 'not_found', path: '/api/nothing' });
  });

  it('shows the tools of the broker once it answers, also when it was away at first', async () => {
    const port = Number(new URL(mcp.url).port);
    await mcp.close();
    expect(await (await get('/api/tools?agent=worker')).json()).toEqual({ tools: [] });
    expect(await (await get('/health', {})).json()).toMatchObject({
      status: 'ok',
      runtime: { components: { mcp: { status: 'error' } } },
    });
    mcp = await startMcpServer('bwt_bravo_x', port);
    const { tools } = (await (await get('/api/tools?agent=worker')).json()) as { tools: unknown[] };
    expect(tools).toHaveLength(2);
    expect((await get('/api/tools?agent=other')).status).toBe(404);
  });

  it('lists the tools with their prefix', async () => {
    const { tools } = (await (await get('/api/tools?agent=worker')).json()) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['platform__read_file', 'platform__execute_script']);
  });
});

describe('a chat', () => {
  it('lets in by header, then subprotocol, then query, and echoes its own subprotocol', async () => {
    expect((await connect('a', { protocols: ['zeroclaw.v1'] })).socket.protocol).toBe('zeroclaw.v1');
    expect((await connect('b', { headers: {}, protocols: ['zeroclaw.v1', `bearer.${SECRET}`] })).socket.protocol).toBe(
      'zeroclaw.v1',
    );
    await connect('c', { headers: {}, query: `&token=${encodeURIComponent(SECRET)}` });
    const query = `&token=${SECRET}`;
    for (const options of [
      { headers: {} },
      { headers: { authorization: 'Bearer wrong' }, query },
      { headers: {}, protocols: ['bearer.wrong'], query },
    ]) {
      await expect(connect('d', options)).rejects.toThrow(/401/);
    }
    const other = new WebSocket(`ws://${base}/ws/chat?agent=other`, { headers: authorization });
    await expect(new Promise((resolve, reject) => other.once('open', resolve).once('error', reject))).rejects.toThrow(
      /400/,
    );
    await expect(connect('bad%20id')).rejects.toThrow(/400/);
  });

  it('runs a turn: text, a tool call with its result, text, one end', async () => {
    model.answer = ({ messages }, response) =>
      messages.some(({ role }) => role === 'tool')
        ? say(response, ['It is ', '42.'])
        : say(response, ['I look.'], [{ id: 'c1', name: 'platform__execute_script', args: { code: '6*7' } }]);
    mcp.onCall = async () => ({ content: [{ type: 'text', text: '42' }] });
    const chat = await connect();
    expect(await chat.next('session_start')).toEqual({
      type: 'session_start',
      session_id: 'cnv_1',
      resumed: false,
      message_count: 0,
    });
    chat.send({ type: 'connect', device_name: 'x' });
    expect(await chat.next('connected')).toMatchObject({ message: expect.any(String) });
    chat.send({ type: 'message', content: 'what is 6*7?' });
    const done = await chat.next(...TERMINAL);
    expect(done).toEqual({
      type: 'done',
      full_response: 'I look.\n\nIt is 42.',
      input_tokens: 20,
      output_tokens: 4,
      tokens_used: 24,
      cost_usd: null,
      model: 'test-model',
      provider: 'custom.main',
      max_context_tokens: 1_000,
      last_input_tokens: 10,
    });
    expect(chat.frames.map(({ type }) => type).filter((type) => type !== 'chunk')).toEqual([
      'session_start',
      'connected',
      'tool_call',
      'tool_result',
      'done',
    ]);
    expect(chat.frames.find(({ type }) => type === 'tool_call')).toEqual({
      type: 'tool_call',
      id: 'c1',
      name: 'platform__execute_script',
      args: { code: '6*7' },
    });
    expect(chat.frames.find(({ type }) => type === 'tool_result')).toMatchObject({
      id: 'c1',
      output: expect.stringContaining('42'),
    });
    expect(chat.frames.map((frame) => (frame.type === 'chunk' ? frame['content'] : '')).join('')).toBe(
      done['full_response'],
    );
    expect(model.asked[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'what is 6*7?' },
      ],
    });
    expect(model.asked[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      'platform__read_file',
      'platform__execute_script',
    ]);
  });

  it('keeps the text of a session across sockets', async () => {
    const first = await connect('s');
    first.send({ type: 'message', content: 'one' });
    await first.next('done');
    first.socket.close();
    const second = await connect('gw_s');
    expect(await second.next('session_start')).toMatchObject({ session_id: 's', resumed: true, message_count: 2 });
    second.send({ type: 'message', content: 'two' });
    await second.next('done');
    expect(model.asked[1]?.messages.map(({ content }) => content)).toEqual(['be brief', 'one', 'Hello', 'two']);
  });

  it('takes a message during the turn as steering of the same turn', async () => {
    let release: () => void = () => undefined;
    mcp.onCall = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { content: [{ type: 'text', text: 'ok' }] };
    };
    model.answer = ({ messages }, response) =>
      messages.some(({ role }) => role === 'tool')
        ? say(response, ['done'])
        : say(response, [], [{ id: 'c1', name: 'platform__read_file', args: {} }]);
    const chat = await connect();
    chat.send({ type: 'message', content: 'go' });
    await chat.next('tool_call');
    chat.send({ type: 'message', content: 'and this' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await chat.next('done');
    expect(model.asked).toHaveLength(2);
    expect(model.asked[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'and this' });
    expect(chat.frames.filter(({ type }) => TERMINAL.includes(type))).toHaveLength(1);
  });

  it.each([
    ['{', 'INVALID_JSON'],
    [{ type: 'dance' }, 'UNKNOWN_MESSAGE_TYPE'],
    [null, 'UNKNOWN_MESSAGE_TYPE'],
    [{ type: 'message', content: '  ' }, 'EMPTY_CONTENT'],
    [{ type: 'message' }, 'EMPTY_CONTENT'],
    [{ type: 'approval_response', request_id: 'x', decision: 'approve' }, 'INVALID_APPROVAL_RESPONSE'],
  ])('refuses %j and stays open', async (frame, code) => {
    const chat = await connect();
    chat.send(frame === null ? 'null' : frame);
    expect(await chat.next('error')).toMatchObject({ code });
    chat.send({ type: 'message', content: 'hi' });
    await chat.next('done');
  });

  it('is aborted from outside, exactly once, and takes the next message', async () => {
    model.answer = (_question, response) => void response.write('data: {"choices":[{"delta":{"content":"half"}}]}\n\n');
    const chat = await connect('s');
    expect((await get('/api/sessions/s/state')).status).toBe(200);
    chat.send({ type: 'message', content: 'go' });
    await chat.next('chunk');
    expect(await (await get('/api/sessions/gw_s/state')).json()).toMatchObject({
      session_id: 's',
      state: 'running',
      turn_id: expect.any(String),
    });
    expect(await (await abort('s')).json()).toEqual({ status: 'aborted' });
    expect(await chat.next(...TERMINAL)).toEqual({ type: 'aborted' });
    expect(await (await abort('s')).json()).toEqual({ status: 'no_active_response' });
    expect(await (await abort('nobody')).json()).toEqual({ status: 'no_active_response' });
    expect(await (await get('/api/sessions/s/state')).json()).toEqual({ session_id: 's', state: 'idle' });
    model.answer = (_question, response) => say(response, ['ok']);
    chat.send({ type: 'message', content: 'again' });
    await chat.next('done');
    expect(model.asked[1]?.messages.at(-2)?.content).toMatch(/half\n\[this answer was stopped\]/);
  });

  it('cancels its turn, and the held call at the broker, when its socket closes', async () => {
    const stopped = new Promise<void>((resolve) => {
      mcp.onCall = (_name, _args, gone) =>
        new Promise(() => gone.addEventListener('abort', () => resolve(), { once: true }));
    });
    model.answer = (_question, response) => say(response, [], [{ id: 'c1', name: 'platform__read_file', args: {} }]);
    const chat = await connect('s');
    chat.send({ type: 'message', content: 'go' });
    await chat.next('tool_call');
    chat.socket.close();
    await stopped;
    const again = await connect('s');
    expect(await again.next('session_start')).toMatchObject({ resumed: true });
  });

  it('ends a turn with an error when the model fails, and says so in its state', async () => {
    model.answer = (_question, response) => void response.socket?.destroy();
    const chat = await connect('s');
    chat.send({ type: 'message', content: 'go' });
    expect(await chat.next(...TERMINAL)).toMatchObject({ type: 'error', code: 'PROVIDER_ERROR' });
    expect(await (await get('/api/sessions/s/state')).json()).toMatchObject({ state: 'error' });
    expect((await get('/api/sessions/nobody/state')).status).toBe(404);
  });

  it('stops a model that never stops calling tools', async () => {
    model.answer = (_question, response) =>
      say(response, [], [{ id: `c${model.asked.length}`, name: 'platform__read_file', args: {} }]);
    const chat = await connect();
    chat.send({ type: 'message', content: 'go' });
    expect(await chat.next(...TERMINAL)).toMatchObject({
      type: 'error',
      code: 'AGENT_ERROR',
      message: expect.stringMatching(/4 rounds/),
    });
    expect(model.asked).toHaveLength(4);
  });

  it('answers without tools when the broker is away', async () => {
    await mcp.close();
    const chat = await connect();
    chat.send({ type: 'message', content: 'go' });
    await chat.next('done');
    expect(model.asked[0]?.tools).toBeUndefined();
  });

  it('lets a second turn of the same session wait in line, and runs it when its turn has come', async () => {
    model.answer = (_question, response) => void response.write('data: {"choices":[{"delta":{"content":"half"}}]}\n\n');
    const [first, second] = [await connect('s'), await connect('s')];
    first.send({ type: 'message', content: 'go' });
    await first.next('chunk');
    second.send({ type: 'message', content: 'me too' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(model.asked).toHaveLength(1);
    model.answer = (_question, response) => say(response, ['ok']);
    await abort('s');
    expect(await second.next(...TERMINAL)).toMatchObject({ type: 'done', full_response: 'ok' });
  });

  it('drops the oldest history when it grows too long, and says so', async () => {
    const chat = await connect();
    for (let round = 0; round < 3; round += 1) {
      chat.send({ type: 'message', content: 'x'.repeat(2_500) });
      await chat.next('done');
    }
    expect(chat.frames.find(({ type }) => type === 'history_trimmed')).toMatchObject({
      dropped_messages: expect.any(Number),
      kept_turns: expect.any(Number),
    });
    expect(JSON.stringify(model.asked.at(-1)).length).toBeLessThan(8_000);
  });
});
