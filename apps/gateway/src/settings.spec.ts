/** Settings layers through the gateway: whose they are, what is said of a document, and what is refused of it. */
import { describe, expect, it } from '@jest/globals';
import { SETTINGS_SCHEMA } from '@bravo/policy';
import { createCallApi } from './call-api.fixture.ts';
import { useGateway } from './gateway.fixture.ts';

const test = useGateway();
const call = createCallApi(test);
const at = (layer: string, workspace = 'acme') => `/${workspace}/bravo/settings/${layer}`;

describe('a settings layer', () => {
  it("is the operator's, the admins' or one's own, to read and to write", async () => {
    const operator = await test.mintToken('alice', 'acme', ['view_content', 'platform:operate']);
    const may = async (who: string, layer: string) => [
      (await call(who, 'GET', at(layer))).status,
      (await call(who, 'PUT', at(layer), {})).status,
    ];
    expect(await may('alice', 'platform')).toEqual([403, 403]);
    expect(await may(operator, 'platform')).toEqual([200, 200]);
    expect(await may('bob', 'workspace')).toEqual([403, 403]);
    expect(await may('alice', 'workspace')).toEqual([200, 200]);
    expect(await may('bob', 'user')).toEqual([200, 200]);
    expect(await may('', 'user')).toEqual([401, 401]);
    expect((await call('carol', 'GET', at('workspace'))).status).toBe(404);
    expect(await may('bob', 'repository')).toEqual([400, 400]);
  });

  it('is versioned by its tag, and has none while nobody has written it', async () => {
    expect((await call('carol', 'GET', at('user', 'globex'))).headers.get('etag')).toBeNull();
    const first = await call('carol', 'PUT', at('user', 'globex'), { model: 'demo' });
    expect(first).toMatchObject({ status: 200, body: { warnings: [] } });
    expect(first.headers.get('etag')).toBe('"v1"');
    const change = { 'if-match': '"v1"' };
    expect((await call('carol', 'PUT', at('user', 'globex'), {}, change)).headers.get('etag')).toBe('"v2"');
    expect(await call('carol', 'PUT', at('user', 'globex'), {}, change)).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    });
  });

  it('is stored with what cannot be read of it, and every such part is named [policy.rules-named]', async () => {
    await call('alice', 'PUT', at('workspace'), { permissions: { deny: ['Read(secret/**)'] } });
    const document = {
      permissions: { deny: ['Raed(x)'], ask: ['Read(secret/a)'], allow: ['Edit(notes/**)', 'Mcp(shop:buy)'] },
      colour: 'crimson',
    };
    const { status, body } = await call('bob', 'PUT', at('user'), document);
    expect(status).toBe(200);
    expect(body.warnings.map(({ code, key }: { code: string; key: string }) => [code, key])).toEqual([
      ['unreadable', 'permissions.deny[0]'],
      ['no_tool', 'permissions.allow[1]'],
      ['shadowed', 'permissions.ask[0]'],
      ['ignored', 'colour'],
    ]);
    expect((await call('bob', 'GET', at('user'))).body).toEqual(document);
  });

  it.each([
    ['{"model": "a",\n "model": "b"}', /line 2, column 2/],
    ['{"model": "a",}', /line 1, column 15/],
    ['', /line 1, column 1/],
    [`{"env": {"A": "${'x'.repeat(70_000)}"}}`, /larger than 65536 bytes/],
  ])('that cannot be read is refused with the place (%#)', async (text, why) => {
    const before = await call('bob', 'GET', at('user'));
    expect(await call('bob', 'PUT', at('user'), text)).toMatchObject({
      status: 400,
      body: { code: 'invalid_argument', detail: expect.stringMatching(why), field: 'document' },
    });
    expect((await call('bob', 'GET', at('user'))).body).toEqual(before.body);
  });

  it('of another content type or no UTF-8 is refused too', async () => {
    const send = (body: string | Uint8Array<ArrayBuffer>, type: string) =>
      fetch(`${test.url}/api/v1${at('user')}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${test.tokens['bob']}`, 'content-type': type },
        body,
      });
    expect((await send('{}', 'text/plain')).status).toBe(400);
    expect((await send(new Uint8Array([0x7b, 0xff, 0x7d]), 'application/json')).status).toBe(400);
  });

  it('has a schema that editors take', async () => {
    const { headers, body } = await call('bob', 'GET', at('schema'));
    expect(headers.get('content-type')).toMatch(/^application\/schema\+json/);
    expect(body).toEqual(SETTINGS_SCHEMA);
  });
});

describe('a body of any other route', () => {
  it('is read as JSON as before', async () => {
    expect(await call('alice', 'POST', '/acme/bravo/conversations', '{"title": ')).toMatchObject({ status: 400 });
    expect(await call('alice', 'POST', '/acme/bravo/conversations', '{"__proto__": {}}')).toMatchObject({
      status: 400,
    });
    expect(await call('alice', 'POST', '/acme/bravo/conversations', {})).toMatchObject({ status: 201 });
  });
});
