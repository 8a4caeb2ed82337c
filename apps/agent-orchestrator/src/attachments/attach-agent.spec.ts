/** Attaching an agent of one's own (D32): who may, what they get, and what then is not done for them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, as, type Instance, outboxOf, useBench, user, workspace } from '../fixtures/orchestrator.fixture.ts';

const bench = useBench();
let instance: Instance;
let production: Instance;
beforeAll(async () => {
  instance = await bench.start({ warmPods: 0 });
  production = await bench.start({ warmPods: 0, production: true });
  const member = (name: string, permissions: string[]) =>
    bench.peers.answers.members.set(`${workspace('acme')}/${user(name)}`, permissions);
  member('alice', ['manage_project', 'manage_members']);
  member('bob', ['view_content']);
  bench.peers.answers.left.add(`${workspace('acme')}/${user('nobody')}`);
  member('tess', ['view_content', 'attach_agent']);
}, 30_000);
afterAll(async () => {
  await instance.stop();
  await production.stop();
}, 30_000);

describe('attaching an agent', () => {
  it('gives a token bound to a conversation without a pod, and tells of it', async () => {
    const { conversationId, token, expiresAt } = await instance.gateway.attachAgent(
      { conversationId: '' },
      admin('alice'),
    );
    const minted = bench.peers.tokens.find((one) => one.token === token);
    expect(minted).toMatchObject({ conversationId, revoked: false });
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await bench.database.pod.count()).toBe(0);
    expect((await outboxOf(bench, conversationId)).at(-1)).toMatchObject({
      type: 'agent.token.minted',
      actor: `user:${user('alice')}`,
      data: { token_id: minted?.id, reason: 'attach' },
    });
    const again = await instance.gateway.attachAgent({ conversationId }, admin('alice'));
    expect(again.conversationId).toBe(conversationId);
  });

  it('is refused to a member through the gateway, whatever the call claims, and given by the operator of the machine', async () => {
    await expect(instance.gateway.attachAgent({ conversationId: '' }, admin('bob'))).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(instance.operator.attachAgent({ conversationId: '' }, as('bob'))).resolves.toMatchObject({
      token: expect.stringMatching(/^bwt_bravo_/),
    });
    await expect(instance.operator.attachAgent({ conversationId: '' }, as('nobody'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('in production takes the right attach_agent, from admins and the operator too', async () => {
    for (const [client, who] of [
      [production.gateway, admin('alice')],
      [production.operator, as('alice')],
    ] as const) {
      await expect(client.attachAgent({ conversationId: '' }, who)).rejects.toMatchObject({
        code: 'production_refused',
      });
    }
    await expect(production.gateway.attachAgent({ conversationId: '' }, as('tess'))).resolves.toMatchObject({
      token: expect.any(String),
    });
  });

  it('never reaches a conversation of somebody else', async () => {
    const { conversationId } = await instance.gateway.attachAgent({ conversationId: '' }, admin('alice'));
    await expect(instance.operator.attachAgent({ conversationId }, as('bob'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
