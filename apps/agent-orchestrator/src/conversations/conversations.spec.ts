/** Conversations as the gateway sees them: whose they are, what gates them, and that their end leaves nothing. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import {
  admin,
  as,
  beginConversation,
  eventsIn,
  type Instance,
  message,
  outboxOf,
  textOf,
  untilEnd,
  useBench,
  user,
  workspace,
} from '../fixtures/orchestrator.fixture.ts';

const bench = useBench();
let instance: Instance;
beforeAll(async () => {
  instance = await bench.start();
}, 30_000);
afterAll(() => instance.stop(), 30_000);

describe('a conversation', () => {
  it('begins with the policy the broker froze, for the person who asked', async () => {
    const { conversation } = await instance.gateway.createConversation(
      { projectId: 'prj_1', title: 'Plans', mode: 'ask', attended: false },
      as('alice'),
    );
    expect(conversation).toMatchObject({
      userId: user('alice'),
      workspaceId: workspace('acme'),
      mode: 'ask',
      status: 'active',
      title: 'Plans',
      projectId: 'prj_1',
      attended: false,
    });
    const told = bench.peers.told.find(({ conversationId }) => conversationId === conversation?.id);
    expect(told).toMatchObject({
      method: 'snapshot',
      mode: 'ask',
      attended: false,
      principal: { issuer: 'orchestrator', userId: user('alice'), permissions: ['view_content', 'run_flows'] },
    });
    expect((await outboxOf(bench, conversation?.id ?? ''))[0]).toMatchObject({
      actor: `user:${user('alice')}`,
      data: { mode: 'ask', policy_version: 'policy-1' },
    });
  });

  it('does not exist for anybody else, whatever they call [tenancy.foreign-id]', async () => {
    const conversationId = await beginConversation(instance.gateway);
    const { turnId } = await instance.gateway.runTurn(message(conversationId, 'echo mine'), as('alice'));
    await untilEnd(bench, conversationId, turnId);
    for (const stranger of [as('bob'), admin('bob'), as('alice', 'globex'), admin('carol', 'globex')]) {
      const calls = [
        instance.gateway.getConversation({ conversationId }, stranger),
        instance.gateway.listMessages({ conversationId }, stranger),
        instance.gateway.getTurn({ conversationId, turnId }, stranger),
        instance.gateway.runTurn(message(conversationId, 'echo theirs'), stranger),
        instance.gateway.cancelTurn({ conversationId }, stranger),
        instance.gateway.setMode({ conversationId, mode: 'voice' }, stranger),
        instance.gateway.endConversation({ conversationId }, stranger),
      ];
      for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'not_found' });
    }
    const { conversation } = await instance.gateway.getConversation({ conversationId }, as('alice'));
    expect(conversation).toMatchObject({ status: 'active', mode: 'coworker' });
  });

  it('is listed to its person newest first by pages, and to admins who name the person', async () => {
    const mine: string[] = [];
    for (let i = 0; i < 5; i += 1) mine.unshift(await beginConversation(instance.gateway, as('dora')));
    const list = (cursor: string) =>
      instance.gateway.listConversations({ userId: '', page: { limit: 2, cursor } }, as('dora'));
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { conversations, page } = await list(cursor);
      seen.push(...conversations.map(({ id }) => id));
      cursor = page?.nextCursor || undefined;
    }
    expect(seen).toEqual(mine);
    await expect(list('bm9uc2Vuc2U')).rejects.toMatchObject({ code: 'invalid_argument' });
    const others = await instance.gateway.listConversations({ userId: user('dora') }, admin('alice'));
    expect(others.conversations).toHaveLength(5);
    await expect(instance.gateway.listConversations({ userId: user('dora') }, as('bob'))).rejects.toMatchObject({
      code: 'permission_denied',
    });
    expect(
      (await instance.gateway.listConversations({ userId: user('dora') }, admin('carol', 'globex'))).conversations,
    ).toEqual([]);
  });

  it('changes its mode where it is enforced and here', async () => {
    const conversationId = await beginConversation(instance.gateway);
    const { conversation } = await instance.gateway.setMode({ conversationId, mode: 'voice' }, as('alice'));
    expect(conversation?.mode).toBe('voice');
    expect(bench.peers.told.at(-1)).toMatchObject({ method: 'mode', mode: 'voice', conversationId });
    await expect(instance.gateway.setMode({ conversationId, mode: 'god' }, as('alice'))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect((await outboxOf(bench, conversationId)).at(-1)).toMatchObject({
      type: 'agent.conversation.mode_changed',
      data: { from: 'coworker', to: 'voice' },
    });
  });

  it('ends for good: its turn stopped, its pod gone, its tokens void, the broker told, and again without an error', async () => {
    const conversationId = await beginConversation(instance.gateway);
    const { turnId } = await instance.gateway.runTurn(message(conversationId, 'slow 100'), as('alice'));
    await waitUntil('some text', async () => textOf(await eventsIn(bench, conversationId)).includes('1 '));
    await instance.gateway.endConversation({ conversationId }, as('alice'));
    await instance.gateway.endConversation({ conversationId }, as('alice'));
    const events = await untilEnd(bench, conversationId, turnId);
    expect(events.at(-1)).toMatchObject({ data: { code: 'turn_cancelled' } });
    expect(
      bench.peers.tokens.filter((token) => token.conversationId === conversationId).map(({ revoked }) => revoked),
    ).toEqual([true]);
    expect(
      bench.peers.told.filter((told) => told.method === 'erase' && told.conversationId === conversationId).length,
    ).toBeGreaterThan(0);
    expect(bench.peers.told).toContainEqual(expect.objectContaining({ method: 'erase at identity', conversationId }));
    expect(await bench.database.pod.count({ where: { conversationId, state: 'claimed' } })).toBe(0);
    await expect(instance.gateway.runTurn(message(conversationId, 'echo late'), as('alice'))).rejects.toMatchObject({
      code: 'conversation_ended',
    });
    const told = (await outboxOf(bench, conversationId)).map(({ type }) => type);
    expect(told.filter((type) => type === 'agent.conversation.ended')).toHaveLength(1);
    expect(told.filter((type) => type === 'agent.pod.released')).toHaveLength(1);
  });

  it('carries an end on that the broker did not hear of', async () => {
    const conversationId = await beginConversation(instance.gateway);
    bench.peers.answers.eraseFails = true;
    await instance.gateway.endConversation({ conversationId }, as('alice'));
    bench.peers.answers.eraseFails = false;
    await waitUntil('the broker to be told', () =>
      bench.peers.told.some((told) => told.method === 'erase' && told.conversationId === conversationId),
    );
  });
});

describe('the gate', () => {
  it.each([
    ['feature_off', { feature: false }],
    ['agent_disabled', { enabled: false }],
    ['unavailable', { unreadable: true }],
  ] as const)('refuses with %s and begins nothing', async (code, answer) => {
    const conversationId = await beginConversation(instance.gateway);
    const before = { ...bench.peers.answers };
    Object.assign(bench.peers.answers, answer);
    await expect(beginConversation(instance.gateway)).rejects.toMatchObject({ code });
    await expect(instance.gateway.runTurn(message(conversationId, 'echo no'), as('alice'))).rejects.toMatchObject({
      code,
    });
    Object.assign(bench.peers.answers, before);
    expect(await bench.database.turn.count({ where: { conversationId } })).toBe(0);
    expect(await bench.database.message.count({ where: { conversationId } })).toBe(0);
  });

  it('lets only so many conversations of a workspace run, also when many ask at once, and a place is free after an end [authority.concurrency]', async () => {
    const eve = as('eve', 'small');
    bench.peers.answers.maxConcurrent = 2;
    const ids = await Promise.all(Array.from({ length: 5 }, () => beginConversation(instance.gateway, eve)));
    const results = await Promise.allSettled(ids.map((id) => instance.gateway.runTurn(message(id, 'slow 100'), eve)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(
      Array(3).fill('too_many_conversations'),
    );
    const running = ids.filter((_, i) => results[i]?.status === 'fulfilled');
    const waiting = ids.find((_, i) => results[i]?.status === 'rejected') ?? '';
    expect(await bench.database.turn.count({ where: { conversationId: waiting } })).toBe(0);
    await instance.gateway.endConversation({ conversationId: running[0] ?? '' }, eve);
    await expect(instance.gateway.runTurn(message(waiting, 'echo now'), eve)).resolves.toMatchObject({ queued: false });
    bench.peers.answers.maxConcurrent = 50;
    for (const conversationId of ids) await instance.gateway.endConversation({ conversationId }, eve);
  });

  it('gives the place of an idle pod to a conversation that needs it, never that of a busy one, and both go on', async () => {
    const finn = as('finn', 'narrow');
    const before = bench.peers.answers.maxConcurrent;
    bench.peers.answers.maxConcurrent = 1;
    const [first = '', second = ''] = await Promise.all([1, 2].map(() => beginConversation(instance.gateway, finn)));
    const begun = await instance.gateway.runTurn(message(first, 'slow 20'), finn);
    await expect(instance.gateway.runTurn(message(second, 'echo two'), finn)).rejects.toMatchObject({
      code: 'too_many_conversations',
    });
    await untilEnd(bench, first, begun.turnId, { ws: 'narrow' });
    const next = await instance.gateway.runTurn(message(second, 'echo two'), finn);
    await untilEnd(bench, second, next.turnId, { ws: 'narrow' });
    expect(await bench.database.pod.count({ where: { workspaceId: workspace('narrow'), state: 'claimed' } })).toBe(1);
    const again = await instance.gateway.runTurn(message(first, 'echo back'), finn);
    expect(textOf(await untilEnd(bench, first, again.turnId, { ws: 'narrow' }))).toContain('back');
    bench.peers.answers.maxConcurrent = before;
    for (const conversationId of [first, second]) await instance.gateway.endConversation({ conversationId }, finn);
  });

  it('never reads a limit of nothing as no limit', async () => {
    bench.peers.answers.maxConcurrent = 0;
    const conversationId = await beginConversation(instance.gateway, as('eve', 'zero'));
    await expect(instance.gateway.runTurn(message(conversationId, 'echo no'), as('eve', 'zero'))).rejects.toMatchObject(
      { code: 'too_many_conversations' },
    );
    bench.peers.answers.maxConcurrent = 50;
  });
});

describe('a call', () => {
  it.each([
    ['of nobody in a workspace', { subject: { userId: 'service:gateway', workspaceId: workspace('acme') } }],
    ['outside any workspace', { subject: { userId: user('alice') } }],
    ['of an agent', { subject: { ...as('alice').subject, agent: { conversationId: 'cnv_x', podId: 'pod_x' } } }],
  ])('%s is refused', async (_what, options) => {
    await expect(instance.gateway.listConversations({ userId: '' }, options)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('of the operator reaches attaching alone', async () => {
    await expect(instance.operator.listConversations({ userId: '' }, as('alice'))).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});
