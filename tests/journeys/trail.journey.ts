/** The trail as compliance people use it: they filter it, export it, keep checkpoints elsewhere, and prove with a program that knows nothing of the server. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.ts';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform({ BRAVO_CHECKPOINT_SECONDS: '0.5' });

describe('the trail', () => {
  it('is filtered, and who looked into it is in it [trail.reads-recorded]', async () => {
    const { alice, bob } = stage;
    const conversation = await bob.createConversation();
    await (await bob.say(conversation, 'what can you do?')).terminal();
    const found = await eventually('what was done for bob', async () => {
      const { entries } = await alice.get(`/audit?conversation=${conversation}&type=agent.turn.finished`);
      return entries.length === 1 && entries;
    });
    expect(found[0]).toMatchObject({ type: 'agent.turn.finished', conversation_id: conversation });
    const read = await eventually('the look on record', async () => {
      const { entries } = await alice.get('/audit?type=agent.trail.read');
      return entries.find((entry: { data: { filter: string } }) => entry.data.filter.includes(conversation));
    });
    expect(read.actor).toMatch(/^user:usr_/);
    expect((await bob.call('GET', '/audit')).status).toBe(403);
    expect((await bob.call('GET', '/audit/export')).status).toBe(403);
    expect((await bob.call('GET', '/audit/alerts')).status).toBe(403);
  });

  it('verifies with progress, deeply too, and tells its checkpoint with proofs', async () => {
    const { alice } = stage;
    const reply = await alice.stream('GET', '/audit/verify?deep=true');
    const result = await reply.until('result');
    expect(result.data).toMatchObject({ ok: true, problem: '', gaps: [] });
    expect(reply.count('progress')).toBeGreaterThan(0);
    const proven = await alice.get('/audit/checkpoint?older=1&index=0');
    expect(proven.checkpoint).toMatch(/^bravo\/ws_\w+\n\d+\n/);
    expect(proven.inclusion[0].hashes.length).toBeGreaterThan(0);
    expect(proven.consistency[0].hashes.length).toBeGreaterThan(0);
    expect((await alice.call('GET', '/audit/checkpoint?older=999999')).status).toBe(400);
    expect(await alice.get('/audit/alerts')).toEqual({ alerts: [] });
  });
});
