/** The gateway over HTTP as people and programs use it: who gets in, what is refused and how, and what a turn looks like from outside. */
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { useGateway } from './gateway.fixture.ts';

const test = useGateway();

const call = async (
  who: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  const token = test.tokens[who] ?? who;
  const response = await fetch(`${test.url}/api/v1${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each spec asserts the fields it uses
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as any };
};

const begin = async (who = 'alice', workspace = 'acme'): Promise<string> =>
  (await call(who, 'POST', `/${workspace}/bravo/conversations`, {})).body.id as string;

const at = (cid: string, rest = '', workspace = 'acme'): string => `/${workspace}/bravo/conversations/${cid}${rest}`;

describe('a session', () => {
  const signIn = async (headers: Record<string, string> = {}) => {
    const answer = await call('', 'POST', '/sign-in', { name: 'alice' }, headers);
    const cookie = answer.headers.get('set-cookie') ?? '';
    return { answer, cookie, session: cookie.split(';', 1)[0] ?? '' };
  };

  it('is a cookie that no script reads and no other site sends', async () => {
    const { answer, cookie, session } = await signIn();
    expect(answer).toMatchObject({
      status: 200,
      body: { person: { name: 'alice' }, memberships: [{ workspace_slug: 'acme', role: 'admin' }] },
    });
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    expect(JSON.stringify(answer.body)).not.toContain(session.split('=')[1]);
    expect(await call('', 'GET', '/me', undefined, { cookie: session })).toMatchObject({
      status: 200,
      body: { csrf_token: answer.body.csrf_token, credential_kind: 'session' },
    });
  });

  it('changes nothing without the CSRF token or from another page', async () => {
    const { answer, session } = await signIn();
    const create = (headers: Record<string, string>) =>
      call('', 'POST', '/acme/bravo/conversations', {}, { cookie: session, ...headers });
    const csrf = { 'x-csrf-token': answer.body.csrf_token as string };
    expect(await create({})).toMatchObject({ status: 403, body: { code: 'csrf_failed' } });
    expect(await create({ 'x-csrf-token': 'f'.repeat(64) })).toMatchObject({
      status: 403,
      body: { code: 'csrf_failed' },
    });
    expect(await create({ ...csrf, origin: 'http://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 'csrf_failed' },
    });
    expect(await create({ ...csrf, 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 403,
      body: { code: 'csrf_failed' },
    });
    expect((await create({ ...csrf, origin: 'http://localhost:1', 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    expect((await signIn({ origin: 'http://evil.example' })).answer).toMatchObject({
      status: 403,
      body: { code: 'csrf_failed' },
    });
  });

  it('is over after sign-out', async () => {
    const { answer, session } = await signIn();
    const csrf = { cookie: session, 'x-csrf-token': answer.body.csrf_token as string };
    expect((await call('', 'POST', '/sign-out', {}, csrf)).status).toBe(204);
    await waitUntil(
      'the session to be refused',
      async () => (await call('', 'GET', '/me', undefined, { cookie: session })).status === 401,
      { timeoutMs: 1_500 },
    );
  });
});

describe('a request', () => {
  it.each([
    ['no credential', '', 401],
    ['a made-up token', `bwt_${'0'.repeat(48)}`, 401],
    ["an agent's token", `bwt_bravo_${'0'.repeat(48)}`, 401],
    ['another scheme', 'x', 401],
  ])('with %s is refused', async (_, token, status) => {
    for (const path of ['/me', '/acme/bravo/conversations', '/acme/audit', '/acme/members']) {
      const reply = await call(token, 'GET', path);
      expect(reply).toMatchObject({ status, body: { code: 'unauthenticated' } });
      expect(reply.headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('for a workspace or a thing of someone else finds nothing', async () => {
    const cid = await begin();
    const paths: [string, string, unknown?][] = [
      ['GET', at(cid)],
      ['GET', at(cid, '/events')],
      ['GET', at(cid, '/slots/1')],
      ['POST', at(cid, '/messages'), { content: 'hello' }],
      ['POST', at(cid, '/tool-calls/tc_9/approve'), {}],
    ];
    for (const [method, path, body] of paths) {
      for (const [who, address] of [
        ['bob', path],
        ['carol', path],
        ['carol', path.replace('/acme/', '/globex/')],
      ] as const) {
        expect(await call(who, method, address, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    expect((await call('carol', 'GET', '/acme/members')).status).toBe(404);
    expect((await call('carol', 'GET', '/nowhere/members')).status).toBe(404);
  });

  it('that is malformed, too large, unknown or for nothing is a problem document that names what is wrong', async () => {
    const cid = await begin();
    const problem = async (status: number, field: string | undefined, reply: ReturnType<typeof call>) => {
      const { headers, ...answer } = await reply;
      expect(answer).toMatchObject({
        status,
        body: {
          status,
          code: expect.any(String),
          reference: expect.stringMatching(/^ref_/),
          ...(field ? { field } : {}),
        },
      });
      expect(headers.get('content-type')).toContain('application/problem+json');
    };
    const json = { 'content-type': 'application/json' };
    await problem(400, undefined, call('alice', 'POST', at(cid, '/messages'), '{"content":', json));
    await problem(400, 'content', call('alice', 'POST', at(cid, '/messages'), {}));
    await problem(400, 'content', call('alice', 'POST', at(cid, '/messages'), { content: '  ' }));
    await problem(400, 'approved', call('alice', 'POST', at(cid, '/messages'), { content: 'x', approved: true }));
    await problem(400, 'mode', call('alice', 'PATCH', at(cid, '/mode'), { mode: 'bypass' }));
    await problem(400, 'limit', call('alice', 'GET', '/acme/bravo/conversations?limit=0'));
    await problem(400, 'color', call('alice', 'GET', '/acme/bravo/conversations?color=red'));
    await problem(
      400,
      'Idempotency-Key',
      call('alice', 'POST', at(cid, '/messages'), { content: 'x' }, { 'idempotency-key': ' a b ' }),
    );
    await problem(413, undefined, call('alice', 'POST', at(cid, '/messages'), { content: 'x'.repeat(600_000) }));
    await problem(
      415,
      undefined,
      call('alice', 'POST', at(cid, '/messages'), '<x/>', { 'content-type': 'application/xml' }),
    );
    await problem(404, undefined, call('alice', 'GET', '/acme/bravo/nothing'));
    await problem(404, undefined, call('alice', 'POST', '/acme/bravo/nothing', {}));
  });

  it('with a token of few scopes does no more than they say', async () => {
    const reader = await test.mintToken('alice', 'acme', ['view_content']);
    const cid = await begin();
    expect((await call(reader, 'GET', at(cid))).status).toBe(200);
    expect(await call(reader, 'POST', at(cid, '/tool-calls/tc_8/approve'), {})).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    const config = await call(reader, 'GET', '/acme/bravo/config');
    expect(await call(reader, 'PUT', '/acme/bravo/config', config.body)).toMatchObject({ status: 403 });
    const decider = await test.mintToken('alice', 'acme', ['approvals:decide']);
    expect(await call(decider, 'GET', at(cid))).toMatchObject({ status: 403 });
  });

  it('carries security headers, and the page a strict policy', async () => {
    const page = await fetch(`${test.url}/acme/c/whatever`);
    expect(await page.text()).toContain('<title>page');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const asset = await fetch(`${test.url}/assets/app-1.js`);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(
      (await fetch(`${test.url}/assets/app-1.js`, { headers: { 'if-none-match': asset.headers.get('etag') ?? '' } }))
        .status,
    ).toBe(304);
    expect((await fetch(`${test.url}/assets/missing.js`)).status).toBe(404);
    expect((await fetch(`${test.url}/..%2f..%2fetc/passwd.txt`)).status).toBe(404);
    const api = await call('alice', 'GET', '/acme/members');
    expect(api.headers.get('x-content-type-options')).toBe('nosniff');
    expect(api.headers.get('cache-control')).toBe('no-store');
    expect((await fetch(`${test.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${test.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${test.url}/metrics`)).text()).toContain(
      'bravo_http_requests_total{method="GET",status="2xx"}',
    );
  });
});

describe('authority', () => {
  it('ends with the role at once, in every gateway', async () => {
    const { members } = (await call('alice', 'GET', '/acme/members')).body as {
      members: { person: { id: string; name: string } }[];
    };
    const bob = members.find(({ person }) => person.name === 'bob')?.person.id ?? '';
    expect((await call('bob', 'PUT', `/acme/members/${bob}`, { role: 'admin' })).status).toBe(403);
    const permissions = async () => (await call('bob', 'GET', '/me')).body.memberships[0].permissions as string[];
    expect(await permissions()).toContain('run_flows');
    expect((await call('alice', 'PUT', `/acme/members/${bob}`, { role: 'viewer' })).status).toBe(200);
    await waitUntil('the new role', async () => !(await permissions()).includes('run_flows'), { timeoutMs: 500 });
    await call('alice', 'PUT', `/acme/members/${bob}`, { role: 'member' });
  });

  it("over features is the operator's alone, and a dark feature closes every route of it", async () => {
    const path = '/admin/workspaces/globex/feature-overrides';
    const off = { feature: 'bravo', enabled: false, reason: 'a spec' };
    expect(await call('alice', 'PUT', path, off)).toMatchObject({ status: 403 });
    const operator = await test.mintToken('alice', 'acme', ['platform:operate']);
    expect(await call(operator, 'PUT', path, off)).toMatchObject({
      status: 200,
      body: { feature: 'bravo', enabled: false, reason: 'a spec' },
    });
    const isOff = async () => (await call('carol', 'GET', '/globex/bravo/conversations')).body.code === 'feature_off';
    await waitUntil('the feature to be dark', isOff, { timeoutMs: 2_000 });
    expect((await call('carol', 'GET', '/globex/members')).status).toBe(200);
    await call(operator, 'PUT', path, { ...off, enabled: true });
    expect((await call(operator, 'GET', path)).body.overrides).toMatchObject([{ feature: 'bravo', enabled: true }]);
    await waitUntil('the feature to be on', async () => !(await isOff()), { timeoutMs: 2_000 });
  });

  it('over the configuration is versioned', async () => {
    const { headers, body } = await call('alice', 'GET', '/acme/bravo/config');
    const etag = headers.get('etag') ?? '';
    expect(etag).toBe('"v1"');
    const change = { ...body, denied_tools: ['fetch_url'] };
    expect((await call('bob', 'PUT', '/acme/bravo/config', change, { 'if-match': etag })).status).toBe(403);
    const changed = await call('alice', 'PUT', '/acme/bravo/config', change, { 'if-match': etag });
    expect(changed).toMatchObject({ status: 200, body: { denied_tools: ['fetch_url'] } });
    expect(changed.headers.get('etag')).toBe('"v2"');
    expect(await call('alice', 'PUT', '/acme/bravo/config', body, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    });
    expect(await call('alice', 'PUT', '/acme/bravo/config', { ...body, max_concurrent: 0 })).toMatchObject({
      status: 400,
      body: { field: 'max_concurrent' },
    });
  });
});

describe('a question', () => {
  it('is answered once, by the person, with exactly what they said', async () => {
    const cid = await begin();
    const answer = (decision: string, body: unknown) =>
      call('alice', 'POST', at(cid, `/tool-calls/tc_1/${decision}`), body);
    expect(await answer('approve', { trust_output: true })).toMatchObject({
      status: 200,
      body: { status: 'approved', input: { code: 'print(6*7)' } },
    });
    expect(await answer('deny', {})).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect(await answer('deny', { trust_output: true })).toMatchObject({
      status: 400,
      body: { field: 'trust_output' },
    });
    const [first] = test.standIns.asked.filter(({ method }) => method === 'resolveApproval');
    expect(first).toMatchObject({
      request: { conversationId: cid, toolCallId: 'tc_1', decision: 'approve', trustOutput: true },
    });
    expect(first?.permissions).toContain('approvals:decide');
    expect((await call('alice', 'GET', at(cid))).body).toMatchObject({
      approvals: [{ tool_call_id: 'tc_1' }],
      conversation: { id: cid },
    });
    expect((await call('alice', 'GET', at(cid, '/slots/1'))).body).toMatchObject({
      text: '42\uFFFD',
      content_base64: Buffer.from('42\xff', 'latin1').toString('base64'),
    });
  });
});

describe('what was used and recorded', () => {
  it("is everybody's for an admin and one's own for a member", async () => {
    const usage = async (who: string) =>
      (await call(who, 'GET', '/acme/bravo/usage?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z')).body;
    expect(await usage('alice')).toMatchObject({
      total: { input_tokens: 110, output_tokens: 55, requests: 3, container_seconds: 1.5 },
    });
    expect((await usage('alice')).by_user).toHaveLength(2);
    expect(await usage('bob')).toMatchObject({
      total: { input_tokens: 10, container_seconds: 1.5 },
      by_day: [{ day: '2026-11-01' }],
    });
    expect(await call('bob', 'GET', '/acme/audit')).toMatchObject({ status: 403 });
    const cid = await begin();
    expect((await call('bob', 'GET', `/acme/audit?conversation=${cid}`)).status).toBe(404);
    expect(await call('alice', 'GET', `/acme/audit?conversation=${cid}`)).toMatchObject({
      status: 200,
      body: { next_cursor: cid },
    });
  });
});

describe('the OpenAPI document', () => {
  it('has every route, from the schemas that validate', async () => {
    const document = (await (await fetch(`${test.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toHaveLength(23);
    const post = document.paths['/api/v1/{ws}/bravo/conversations/{cid}/messages']?.['post'];
    expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['content'],
      additionalProperties: false,
    });
  });
});
