import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { waitUntil } from '@bravo/testing';
import { type Talk, useBroker } from '../broker.fixture.ts';
import { FIRST_PARTY_TOOLS } from '../manifests/catalogue.ts';
import { openClient, RawClient } from '../raw-mcp-client.fixture.ts';
import { kindOfSession } from './client-kind.ts';

const bed = useBroker();
const TOOLS = FIRST_PARTY_TOOLS.map(({ manifest }) => manifest.name);
const SCRIPT = { language: 'python', code: 'print(6*7)' };
let talk: Talk;
const headers = () => ({ requestInit: { headers: { authorization: `Bearer ${talk.token}` } } });

beforeAll(async () => {
  talk = await bed.begin();
});

const toolCallOf = async (conversationId: string): Promise<string> =>
  waitUntil(
    'the question',
    async () => (await bed.database.approval.findFirst({ where: { conversationId, status: 'pending' } }))?.toolCallId,
  );

const answer = async (to: Talk, decision: 'approve' | 'deny', trustOutput = false): Promise<void> => {
  const gateway = await bed.as('gateway');
  await gateway.resolveApproval(
    { conversationId: to.conversationId, toolCallId: await toolCallOf(to.conversationId), decision, trustOutput },
    bed.person(to),
  );
  gateway.close();
};

describe('the door', () => {
  it.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer bwt_bravo_nobody' }],
    ['another scheme', { authorization: 'Basic eDp5' }],
  ])('is shut for %s, and says where to read about it', async (_, given) => {
    const response = await fetch(bed.broker.mcpUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(given as Record<string, string>) },
      body: '{}',
    });
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(
      /^Bearer .*resource_metadata="http:\/\/127\.0\.0\.1\/\.well-known\/oauth-protected-resource\/mcp\/"/,
    );
    const metadata = await fetch(
      new URL(new URL(/resource_metadata="([^"]+)"/.exec(challenge)![1]!).pathname, bed.broker.mcpUrl),
    );
    expect(await metadata.json()).toMatchObject({ resource: 'http://127.0.0.1/mcp/' });
  });

  it('is shut while identity cannot be asked, with a reason that is not "wrong token"', async () => {
    const other = await bed.begin();
    const client = await openClient(bed, other);
    await bed.stopIdentity();
    try {
      const response = await waitUntil('the remembered answer to age', async () => {
        const tried = await client.post({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: {} });
        return tried.status === 503 ? tried : undefined;
      });
      expect(await response.text()).toMatch(/could not be checked/);
    } finally {
      await bed.startIdentity();
    }
    await waitUntil(
      'identity to be found again',
      async () => (await client.post({ jsonrpc: '2.0', id: 10, method: 'tools/list', params: {} })).ok,
    );
  });

  it('is shut for a page of another origin', async () => {
    const response = await fetch(bed.broker.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${talk.token}`,
        origin: 'http://evil.example',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(response.status).toBe(403);
  });

  it.each([
    [
      'the same name twice',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","name":"write_file"}}',
    ],
    ['__proto__', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}'],
    ['deep nesting', `{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(60)}${']'.repeat(60)}}`],
    ['no JSON', '{'],
  ])('refuses a message with %s as JSON-RPC', async (_, body) => {
    const response = await new RawClient(bed.broker.mcpUrl, talk.token).post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });
});

describe('a client of 2024-11-05', () => {
  it('gets plain JSON, a session id that says how patient it is, and all tools on one page', async () => {
    for (const [name, kind] of [
      ['bravo-agent-runtime', 'bravo'],
      ['zeroclaw', 'zeroclaw'],
      ['something', 'unknown'],
    ] as const) {
      const client = new RawClient(bed.broker.mcpUrl.replace(/\/$/, ''), talk.token);
      const response = await client.initialize(name);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await response.json()).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
      expect(kindOfSession(client.session)).toBe(kind);
      const listed = await client.post({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} });
      expect(listed.headers.get('content-type')).toMatch(/^application\/json/);
      const { result } = (await listed.json()) as {
        result: { tools: { name: string; inputSchema: { properties: object } }[]; nextCursor?: string };
      };
      expect(result.tools.every((tool) => !('outputSchema' in tool))).toBe(true);
      expect(result.tools.map((tool) => tool.name)).toEqual(TOOLS);
      expect(result.nextCursor).toBeUndefined();
    }
  });

  it('without a token that is bound may list and call nothing [pod.unbound]', async () => {
    bed.identity.tokens.set('bwt_bravo_warm', { bound: false, userId: '', workspaceId: '', conversationId: '' });
    const client = await openClient(bed, { token: 'bwt_bravo_warm' });
    expect(
      ((await client.request('tools/list', {})) as { result: { tools: { name: string }[] } }).result.tools.map(
        (tool) => tool.name,
      ),
    ).toEqual(TOOLS);
    expect(await client.call('read_file', { path: 'a.txt' })).toEqual({
      isError: true,
      text: expect.stringMatching(/bound to no conversation/),
    });
  });

  it('is refused shortly and with the reason', async () => {
    const client = await openClient(bed, talk);
    for (const [tool, given, reason] of [
      ['no_such_tool', {}, /no tool of that name/],
      ['read_file', { path: 'a.txt', approved: true }, /do not fit read_file/],
      ['read_file', { path: '../../etc/passwd' }, /The path "..\/..\/etc\/passwd" climbs with ".."/],
      ['write_file', { path: 'a.txt' }, /exactly one of contents and contents_ref/],
      ['write_file', { path: 'a.txt', contents_ref: 'ref:99' }, /no such reference/],
      ['execute_script', { language: 'perl', code: 'x'.repeat(5_000) }, /do not fit execute_script/],
    ] as const) {
      const { text, isError } = await client.call(tool, given);
      expect({ tool, isError }).toEqual({ tool, isError: true });
      expect(text).toMatch(reason);
      expect(text.length).toBeLessThan(500);
    }
    const refused = (await bed.trail(talk)).filter(
      (event) => event.type === 'agent.tool.decided' && event.data['effect'] === 'deny',
    );
    expect(refused.length).toBe(6);
  });

  it('is held and answered in one document', async () => {
    const own = await bed.begin();
    const client = await openClient(bed, own);
    const held = client.post({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'execute_script', arguments: SCRIPT },
    });
    await answer(own, 'approve', true);
    const response = await held;
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      id: 5,
      result: { content: [{ type: 'text', text: expect.stringMatching(/Exit code 0[\s\S]*\n42/) }] },
    });
  });
});

describe('the clients of the SDKs', () => {
  it('v1 lists, is refused and is held', async () => {
    const own = await bed.begin();
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(
      new OldTransport(new URL(bed.broker.mcpUrl), {
        requestInit: { headers: { authorization: `Bearer ${own.token}` } },
      }) as never,
    );
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(TOOLS);
    expect(tools.every((tool) => tool.outputSchema?.type === 'object')).toBe(true);
    // This SDK holds a result against the schema by itself.
    expect(await client.callTool({ name: 'list_files', arguments: {} })).toMatchObject({
      structuredContent: { state: 'ended', references: [] },
    });
    expect((await client.callTool({ name: 'nothing', arguments: {} })).isError).toBe(true);
    const held = client.callTool({ name: 'execute_script', arguments: SCRIPT });
    await answer(own, 'deny');
    expect(await held).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/denied/) }] });
    await client.close();
  });

  it('v2 speaks 2026-07-28 and is held where it cannot open a page', async () => {
    const own = await bed.begin();
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(bed.broker.mcpUrl), {
        requestInit: { headers: { authorization: `Bearer ${own.token}` } },
      }),
    );
    expect(client.getProtocolEra()).toBe('modern');
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(TOOLS);
    const held = client.callTool({ name: 'execute_script', arguments: SCRIPT });
    await answer(own, 'approve');
    const result = (await held) as { content: { text: string }[] };
    expect(result).toMatchObject({ structuredContent: { state: 'ended', references: ['ref:1'] } });
    expect(result.content[0]!.text).toMatch(
      /ref:1 - standard output of the program - text, 1 line, 3 bytes - untrusted, private/,
    );
    expect(result.content[0]!.text).not.toContain('42');
    await client.close();
  });

  it('v2 that can open a page is sent there, and its own consent is none', async () => {
    const own = await bed.begin();
    const urls: string[] = [];
    const client = new Client(
      { name: 'new', version: '1' },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: 'auto' } },
    );
    client.setRequestHandler('elicitation/create', async (request) => {
      urls.push((request.params as { url?: string }).url ?? '');
      return { action: 'accept' as const };
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(bed.broker.mcpUrl), {
        requestInit: { headers: { authorization: `Bearer ${own.token}` } },
      }),
    );
    let ended = false;
    const held = client.callTool({ name: 'execute_script', arguments: SCRIPT }).finally(() => (ended = true));
    await waitUntil('the client to be sent to the page', () => urls.length > 0);
    expect(urls[0]).toBe(`http://127.0.0.1:1/#/acme/${own.conversationId}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(ended).toBe(false);
    expect(
      (await bed.database.approval.findFirstOrThrow({ where: { conversationId: own.conversationId } })).status,
    ).toBe('pending');
    await answer(own, 'deny');
    expect(await held).toMatchObject({ isError: true });
    await client.close();
  });
});

it('GET and DELETE of the older eras are not offered', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(bed.broker.mcpUrl, {
      method,
      headers: { ...headers().requestInit.headers, accept: 'text/event-stream' },
    });
    expect(response.status).toBe(405);
  }
});
