/** Who gets in, and how everything else is refused: sessions, credentials, foreign ids, malformed requests, headers. */
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { beginConversation, conversationPath as at, createCallApi } from './call-api.fixture.ts';
import { useGateway } from './gateway.fixture.ts';

const test = useGateway();
const call = createCallApi(test);
const begin = () => beginConversation(call);

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
      body: { csrf_token: answer.body.csrf_token, credential_kind: 'session', scopes: answer.body.scopes },
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
      'bravo_http_request_duration_seconds_count{method="GET",route="/api/v1/:ws/members",status="2xx"}',
    );
  });
});
