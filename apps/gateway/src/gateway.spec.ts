/** What people and programs do through the gateway, and what each role and token may: members, features, configuration, questions, usage, trails. */
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { beginConversation, conversationPath as at, createCallApi } from './call-api.fixture.ts';
import { useGateway } from './gateway.fixture.ts';

const test = useGateway();
const call = createCallApi(test);
const begin = () => beginConversation(call);

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
    const change = { ...body, denied_tools: ['bash'] };
    expect((await call('bob', 'PUT', '/acme/bravo/config', change, { 'if-match': etag })).status).toBe(403);
    const changed = await call('alice', 'PUT', '/acme/bravo/config', change, { 'if-match': etag });
    expect(changed).toMatchObject({ status: 200, body: { denied_tools: ['bash'] } });
    expect(changed.headers.get('etag')).toBe('"v2"');
    expect(await call('alice', 'PUT', '/acme/bravo/config', body, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    });
    for (const [name, told] of [
      ['Bassh', 'Did you mean bash?'],
      ['nothing_like_it', 'GET …/bravo/tools lists them.'],
    ] as const) {
      expect(await call('alice', 'PUT', '/acme/bravo/config', { ...body, denied_tools: [name] })).toMatchObject({
        status: 400,
        body: {
          field: 'denied_tools',
          detail: expect.stringMatching(new RegExp(`"${name}".*${told.replaceAll('?', '.')}`)),
        },
      });
    }
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
      slot: { origin: 'output', name: 'a.txt' },
      text: '42\uFFFD',
      content_base64: Buffer.from('42\xff', 'latin1').toString('base64'),
    });
  });
});

describe('sealed secrets', () => {
  it('are put and listed by admins, and told to nobody', async () => {
    const at = '/acme/bravo/secrets';
    expect((await call('alice', 'PUT', `${at}/MODEL_KEY`, { value: 'sk-1' })).status).toBe(204);
    expect((await call('alice', 'GET', at)).body).toEqual({ names: ['MODEL_KEY'] });
    expect((await call('alice', 'PUT', `${at}/lower`, { value: 'x' })).status).toBe(400);
    expect((await call('alice', 'PUT', `${at}/EMPTY`, { value: '' })).status).toBe(400);
    expect((await call('bob', 'PUT', `${at}/MODEL_KEY`, { value: 'x' })).status).toBe(403);
    expect((await call('bob', 'GET', at)).status).toBe(403);
  });
});

describe('skills and agent definitions', () => {
  const at = '/acme/bravo/definitions';
  const text = (name: string) => `---\nname: ${name}\ndescription: About it\n---\nSay please.\n`;

  it('are written by whose level it is, listed without a text and read with it', async () => {
    expect((await call('alice', 'PUT', `${at}/skill/workspace/house`, { text: text('house') })).body).toMatchObject({
      ...{ kind: 'skill', layer: 'workspace', name: 'house', version: 1, ignored: [] },
    });
    expect((await call('bob', 'PUT', `${at}/skill/workspace/house`, { text: text('house') })).status).toBe(403);
    expect((await call('bob', 'PUT', `${at}/skill/user/mine`, { text: text('mine') })).status).toBe(200);
    const names = async (who: string) =>
      ((await call(who as 'bob', 'GET', at)).body as { definitions: { name: string }[] }).definitions.map(
        ({ name }) => name,
      );
    expect(await names('bob')).toEqual(['house', 'mine']);
    expect(await names('alice')).toEqual(['house']);
    expect((await call('bob', 'GET', `${at}/skill/user/mine`)).body).toMatchObject({ text: text('mine') });
    expect((await call('alice', 'GET', `${at}/skill/user/mine`)).status).toBe(404);
  });

  it('are refused where they are none, and are gone once deleted', async () => {
    expect((await call('bob', 'PUT', `${at}/skill/user/odd`, { text: 'hello' })).status).toBe(400);
    expect((await call('bob', 'PUT', `${at}/hook/user/odd`, { text: text('odd') })).status).toBe(400);
    expect((await call('bob', 'DELETE', `${at}/skill/user/mine`)).status).toBe(204);
    expect((await call('bob', 'DELETE', `${at}/skill/user/mine`)).status).toBe(404);
    expect((await call('alice', 'DELETE', `${at}/skill/workspace/house`)).status).toBe(204);
  });
});

describe('models', () => {
  it('are listed by service, with what is wrong', async () => {
    expect((await call('bob', 'GET', '/acme/bravo/models?search=one')).body).toEqual({
      models: [
        {
          ...{
            id: 'x/big',
            label: 'Big one',
            service: 'x',
            service_label: 'X',
            context_tokens: 1_000,
            output_tokens: null,
          },
          ...{ effort: 'read', demo: false },
        },
      ],
      automatic: 'x/big',
      services: [{ id: 'x', label: 'X', stale: true, problem: 'It did not answer.' }],
      notes: ['provider.y: no address'],
    });
  });

  it("are chosen for oneself and for a conversation of one's own, and what is not said stays", async () => {
    const cid = await begin();
    const at = `/acme/bravo/conversations/${cid}/model`;
    expect((await call('alice', 'PUT', at, { model: 'x/big' })).body).toMatchObject({
      conversation: { model: 'x/big', effort: '' },
    });
    expect((await call('alice', 'PUT', at, { effort: 'high' })).body).toMatchObject({
      conversation: { model: 'x/big', effort: 'high' },
    });
    expect((await call('alice', 'GET', at)).body).toMatchObject({
      effective: { model: 'x/big', decided_by: 'automatic' },
    });
    for (const method of ['GET', 'PUT'])
      expect((await call('bob', method, at, method === 'PUT' ? {} : undefined)).status).toBe(404);
    expect((await call('alice', 'PUT', at, { effort: 'enormous' })).status).toBe(400);
    expect((await call('bob', 'PUT', '/acme/bravo/model', { model: 'x/big' })).body).toMatchObject({
      person: { model: 'x/big' },
    });
    expect((await call('bob', 'GET', '/acme/bravo/model')).body).toMatchObject({ person: { model: 'x/big' } });
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
    expect(await usage('alice')).toMatchObject({
      total: { cost_usd: 1.5, credits: 150, failed: 1 },
      by_model: [
        { model: 'demo', requests: 1 },
        { model: 'x/big', requests: 2, cost_usd: 1.5 },
      ],
      by_conversation: [{ conversation_id: 'cnv_1' }, { conversation_id: 'cnv_2', credits: 150 }],
      credits: { plan: 'team', plan_granted: 1_000, resets_at: '2026-12-01T00:00:00.000Z' },
      limits: [{ name: 'personDailyTokens', limit: 500, used: 15 }],
    });
    expect(await usage('bob')).toMatchObject({
      total: { input_tokens: 10, container_seconds: 1.5 },
      by_day: [{ day: '2026-11-01' }],
    });
    expect(await call('bob', 'GET', '/acme/audit')).toMatchObject({ status: 403 });
    expect(await call('bob', 'GET', '/acme/audit/verify')).toMatchObject({ status: 200, body: { ok: true, size: 3 } });
    expect((await call('carol', 'GET', '/acme/audit/verify')).status).toBe(404);
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
    expect(Object.keys(document.paths)).toHaveLength(66);
    const post = document.paths['/api/v1/{ws}/bravo/conversations/{cid}/messages']?.['post'];
    expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['content'],
      additionalProperties: false,
    });
  });
});
