/** Requests that mean nothing, or two things: each is refused as a problem document that names what is wrong, and none reaches a store. */
import { describe, expect, it } from '@jest/globals';
import { beginConversation, conversationPath as at, createCallApi } from './call-api.fixture.ts';
import { useGateway } from './gateway.fixture.ts';

const test = useGateway();
const call = createCallApi(test);

describe('the character U+0000', () => {
  it.each([
    ['POST', '/acme/bravo/conversations', '{"title":"a\\u0000b"}', 'title'],
    ['POST', '/acme/bravo/conversations', '{"ti\\u0000tle":"a"}', 'ti\\u0000tle'],
    ['POST', '/acme/bravo/conversations', '{"title":"a\0b"}', 'body'],
    ['GET', '/acme/bravo/conversations?cursor=a%00b', undefined, 'cursor'],
    ['GET', '/acme/audit?conversation=%00', undefined, 'conversation'],
  ])('is refused in %s %s, case %#', async (method, path, body, field) => {
    const { status, headers, body: problem } = await call('alice', method, path, body);
    expect([status, problem.code, problem.field]).toEqual([400, 'invalid_argument', field]);
    expect(headers.get('content-type')).toContain('application/problem+json');
  });

  it('is refused deep inside what a message comes with', async () => {
    const cid = await beginConversation(call);
    const body = '{"content":"hello","context":{"a":[{"b":"\\u0000"}]}}';
    expect(await call('alice', 'POST', at(cid, '/messages'), body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_argument', field: 'context.a.0.b' },
    });
  });

  it.each(['/a%00cme/members', '/acme/bravo/conversations/cnv_%00', '/acme/members/%00'])(
    'in an address names nothing: %s',
    async (path) => {
      const method = path.startsWith('/acme/members/') ? 'PUT' : 'GET';
      const body = method === 'PUT' ? { role: 'member' } : undefined;
      expect(await call('alice', method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );
});

describe('a request [api.one-meaning]', () => {
  it.each(['/acme/bravo/conversations/%E0%A4%A', '/%', '/acme/members/%ff'])(
    'to an address that cannot be decoded is refused: %s',
    async (path) => {
      const { status, headers, body } = await call('alice', 'GET', path);
      expect([status, body.code]).toEqual([400, 'invalid_argument']);
      expect(body.reference).toMatch(/^ref_/);
      expect(headers.get('content-type')).toContain('application/problem+json');
    },
  );

  it.each([
    ['says a thing twice', '{"title":"a","title":"b"}', 'is there twice'],
    ['says it twice in two spellings', '{"title":"a","t\\u0069tle":"b"}', 'is there twice'],
    ['names __proto__', '{"__proto__":{"title":"b"}}', '__proto__'],
    ['is no JSON', '{"title":', 'line 1, column 10'],
  ])('whose body %s is refused', async (_, body, detail) => {
    expect(await call('alice', 'POST', '/acme/bravo/conversations', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_argument', field: 'body', detail: expect.stringContaining(detail) },
    });
  });

  it('with a form is refused, whatever it says', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await call('alice', 'POST', '/acme/bravo/conversations', 'title=a', form)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });
});
