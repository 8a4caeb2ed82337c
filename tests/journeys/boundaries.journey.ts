/** Who may do what: other people's ids, other workspaces, demoted members, modes, configuration, dark features. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';
import { type RestClient } from './support/rest-client.ts';

const stage = usePlatform();

/** Every route that names something of one person. `:cid`, `:tcid`, `:gid` and `:n` are filled with alice's own. */
const ROUTES: readonly [method: string, path: string, body?: unknown][] = [
  ['GET', '/bravo/conversations/:cid'],
  ['DELETE', '/bravo/conversations/:cid'],
  ['POST', '/bravo/conversations/:cid/messages', { content: 'hello' }],
  ['GET', '/bravo/conversations/:cid/messages'],
  ['GET', '/bravo/conversations/:cid/events'],
  ['GET', '/bravo/conversations/:cid/tool-calls'],
  ['GET', '/bravo/conversations/:cid/slots/:n'],
  ['GET', '/bravo/conversations/:cid/tool-calls/:tcid/preview'],
  ['POST', '/bravo/conversations/:cid/tool-calls/:tcid/approve', {}],
  ['POST', '/bravo/conversations/:cid/tool-calls/:tcid/deny', {}],
  ['POST', '/bravo/conversations/:cid/cancel'],
  ['GET', '/bravo/conversations/:cid/delegates'],
  ['PATCH', '/bravo/conversations/:cid/mode', { mode: 'ask' }],
  ['GET', '/bravo/conversations/:cid/model'],
  ['PUT', '/bravo/conversations/:cid/model', { model: '' }],
  ['GET', '/bravo/conversations/:cid/instructions'],
  ['POST', '/bravo/conversations/:cid/compact'],
  ['GET', '/bravo/conversations/:cid/grants'],
  ['POST', '/bravo/conversations/:cid/grants', { tool: 'write_file', scope: { path: 'a.txt' } }],
  ['DELETE', '/bravo/conversations/:cid/grants/:gid'],
  ['GET', '/bravo/conversations/:cid/schedules'],
  ['POST', '/bravo/conversations/:cid/schedules', { kind: 'loop', line: 'list files', every_seconds: 3_600 }],
  ['DELETE', '/bravo/conversations/:cid/schedules/:sid'],
  ['POST', '/bravo/conversations/:cid/tool-calls/:tcid/step-up', {}],
  ['GET', '/bravo/conversations/:cid/slots/:n/trust-offer'],
  ['POST', '/bravo/conversations/:cid/slots/:n/vouch', { revision: 'r1' }],
  ['GET', '/bravo/conversations/:cid/settings/repository'],
  ['POST', '/bravo/conversations/:cid/settings/repository/accept', { rules: ['Edit(notes/**)'] }],
  ['GET', '/bravo/conversations/:cid/files'],
  ['GET', '/bravo/conversations/:cid/files/:path'],
  ['PUT', '/bravo/conversations/:cid/files/:path'],
  ['DELETE', '/bravo/conversations/:cid/files/:path'],
  ['GET', '/audit/tool-calls/:tcid/content'],
];

describe('an id of someone else', () => {
  it('answers 404 on every route, in every workspace, and changes nothing [tenancy.foreign-id] [approval.people-only]', async () => {
    const { alice, bob, carol, platform } = stage;
    const conversation = await alice.createConversation();
    const plain = await askForProgram(alice, conversation);
    await alice.answer(conversation, plain.toolCall, 'approve');
    await plain.log.terminal();
    const { log, toolCall } = await askForProgram(alice, conversation, 'print(7)');
    const grant = await alice.send('POST', `/bravo/conversations/${conversation}/grants`, {
      tool: 'write_file',
      scope: { path: 'a.txt' },
    });

    const openapi = (await (await fetch(`${platform.gatewayUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const served = Object.entries(openapi.paths)
      .filter(([route]) => /\{(cid|tcid|gid|n)\}/.test(route))
      .flatMap(([route, methods]) =>
        Object.keys(methods).map(
          (method) => `${method.toUpperCase()} ${route.replace(/^\/api\/v1\/\{ws\}/, '').replace(/\{(\w+)\}/g, ':$1')}`,
        ),
      );
    expect(served.sort()).toEqual(ROUTES.map(([method, path]) => `${method} ${path}`).sort());

    const intoAcme = new (alice.constructor as typeof RestClient)(carol.base, carol.token, 'acme');
    for (const [who, client] of [
      ['bob', bob],
      ['carol in globex', carol],
      ['carol in acme', intoAcme],
    ] as const) {
      for (const [method, path, body] of ROUTES) {
        const filled = path
          .replace(':cid', conversation)
          .replace(':tcid', toolCall)
          .replace(':gid', String(grant['id']))
          .replace(':n', '1')
          .replace(':path', 'notes.txt')
          .replace(':sid', 'sch_1');
        const reply = await client.call(method, filled, body);
        // Of the whole route, whatever the id.
        const refused =
          who === 'bob' && path.startsWith('/audit/')
            ? { status: 403, code: 'permission_denied' }
            : { status: 404, code: 'not_found' };
        expect({ who, method, path, status: reply.status, code: reply.body?.code }).toEqual({
          who,
          method,
          path,
          ...refused,
        });
      }
    }
    expect((await bob.call('GET', '/audit/tool-calls/tc_00000000000000000000000000/content')).status).toBe(403);
    for (const path of [
      '/bravo/conversations',
      '/bravo/config',
      '/bravo/tools',
      '/bravo/usage',
      '/bravo/approvals',
      '/audit',
      '/audit/verify',
      '/members',
    ]) {
      expect((await intoAcme.call('GET', path)).status).toBe(404);
    }
    expect((await bob.get('/bravo/approvals')).approvals).toEqual([]);
    await alice.answer(conversation, toolCall, 'approve', { trust_output: true });
    await log.terminal();
    expect(log.text()).toContain('7');
  });

  it("a made-up credential, an agent's token and no credential are refused everywhere [pod.token]", async () => {
    const { alice, platform } = stage;
    const attached = await platform.attach('alice');
    for (const token of ['', 'bwt_000000000000000000000000000000000000000000000000', attached.token]) {
      const client = new (alice.constructor as typeof RestClient)(alice.base, token, 'acme');
      for (const [method, path] of [
        ['GET', '/bravo/conversations'],
        ['GET', '/audit'],
        ['POST', '/bravo/conversations'],
      ] as const) {
        expect((await client.call(method, path, method === 'POST' ? {} : undefined)).status).toBe(401);
      }
    }
  });
});

describe('authority', () => {
  it("is the user's as it is now: bob is demoted in the middle and the next call is refused [authority.now]", async () => {
    const { alice, bob } = stage;
    const conversation = await bob.createConversation();
    const first = await askForProgram(bob, conversation);
    await bob.answer(conversation, first.toolCall, 'approve', { trust_output: true });
    await first.log.terminal();
    const { members } = (await alice.get('/members')) as { members: { person: { id: string; name: string } }[] };
    const bobId = members.find((member) => member.person.name === 'bob')?.person.id;
    await alice.send('PUT', `/members/${bobId}`, { role: 'viewer' });
    try {
      const log = await bob.say(conversation, 'run this python: print(1)');
      expect(await log.terminal()).toMatchObject({ event: 'message_end' });
      expect(log.count('needs_approval')).toBe(0);
      expect(log.events.find((event) => event.event === 'tool_call_end')?.data['status']).toMatch(/refused|denied/);
    } finally {
      await alice.send('PUT', `/members/${bobId}`, { role: 'member' });
    }
    expect((await bob.call('PUT', `/members/${bobId}`, { role: 'owner' })).status).toBe(403);
  });

  it('ends with the mode: in Ask mode a program is refused and the step up is named [authority.mode]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation({ mode: 'ask' });
    const log = await alice.say(conversation, 'run this python: print(1)');
    await log.terminal();
    expect(log.count('needs_approval')).toBe(0);
    expect(log.events.find((event) => event.event === 'step_up')?.data).toMatchObject({
      current_mode: 'ask',
      required_mode: 'coworker',
    });
    await alice.send('PATCH', `/bravo/conversations/${conversation}/mode`, { mode: 'coworker' });
    const { log: next, toolCall } = await askForProgram(alice, conversation, 'print(1)');
    await alice.answer(conversation, toolCall, 'deny');
    await next.terminal();
  });

  it("is narrowed by the workspace's configuration, for conversations that start after the change [authority.config] [authority.future]", async () => {
    const { alice, bob } = stage;
    const before = await alice.createConversation();
    const current = await alice.call('GET', '/bravo/config');
    const etag = current.headers.get('etag') ?? '';
    const config = current.body as Record<string, unknown>;
    expect((await bob.call('PUT', '/bravo/config', config, { 'if-match': etag })).status).toBe(403);
    const changed = await alice.call(
      'PUT',
      '/bravo/config',
      { ...config, denied_tools: ['execute_script'] },
      { 'if-match': etag },
    );
    expect(changed.status).toBe(200);
    expect(await alice.call('PUT', '/bravo/config', config, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    });
    try {
      const after = await alice.createConversation();
      const log = await alice.say(after, 'run this python: print(1)');
      await log.terminal();
      expect(log.count('needs_approval')).toBe(0);
      const { tools } = (await alice.get('/bravo/tools')) as { tools: { name: string; policy_state: string }[] };
      expect(tools.find((tool) => tool.name === 'execute_script')?.policy_state).toBe('denied');
      const old = await askForProgram(alice, before, 'print(1)');
      await alice.answer(before, old.toolCall, 'deny');
      await old.log.terminal();
      await alice.send('PUT', '/bravo/config', { ...config, denied_tools: [], code_exec_enabled: false });
      const noCode = await alice.createConversation();
      const refused = await alice.say(noCode, 'run this python: print(1)');
      await refused.terminal();
      expect(refused.count('needs_approval')).toBe(0);
      await alice.send('PUT', '/bravo/config', { ...config, enabled: false });
      expect(await alice.call('POST', '/bravo/conversations', {})).toMatchObject({
        status: 403,
        body: { code: 'agent_disabled' },
      });
    } finally {
      await alice.send('PUT', '/bravo/config', config);
    }
  });

  it('is nothing where the feature is off [authority.dark]', async () => {
    const { carol, platform } = stage;
    await platform.setFeatureOverride('globex', 'bravo', false);
    try {
      await eventually(
        'the feature to be off',
        async () => (await carol.call('POST', '/bravo/conversations', {})).body.code === 'feature_off',
      );
    } finally {
      await platform.setFeatureOverride('globex', 'bravo', true);
    }
    await eventually(
      'the feature to be on again',
      async () => (await carol.call('POST', '/bravo/conversations', {})).status === 201,
    );
  });

  it('to run many at once ends at max_concurrent [authority.concurrency]', async () => {
    const { carol } = stage;
    const config = await carol.get('/bravo/config');
    await carol.send('PUT', '/bravo/config', { ...config, max_concurrent: 2 });
    const held = await Promise.all([1, 2].map(async () => askForProgram(carol, await carol.createConversation())));
    const third = await carol.createConversation();
    expect(
      await carol.call('POST', `/bravo/conversations/${third}/messages`, { content: 'what can you do?' }),
    ).toMatchObject({ status: 429, body: { code: 'too_many_conversations' } });
    for (const { log } of held) log.close();
    const { conversations } = (await carol.get('/bravo/conversations')) as { conversations: { id: string }[] };
    await Promise.all(conversations.map(({ id }) => carol.send('DELETE', `/bravo/conversations/${id}`)));
    const free = await carol.say(await carol.createConversation(), 'what can you do?');
    expect(await free.terminal()).toMatchObject({ event: 'message_end' });
  });
});
