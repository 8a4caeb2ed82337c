/** Pods through the whole orchestrator: kept warm unbound, recycled when idle, counted, replaced, and none left at the end. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
} from '../fixtures/orchestrator.fixture.ts';

const bench = useBench();
let instance: Instance;
afterEach(() => instance.stop(), 30_000);

const pods = (state: string) => bench.database.pod.count({ where: { owner: instance.owner, state } });
const turnIn = async (conversationId: string, content: string) => {
  const { turnId } = await instance.gateway.runTurn(message(conversationId, content), as('alice'));
  return untilEnd(bench, conversationId, turnId);
};

describe('pods', () => {
  it('wait unbound, are claimed by one conversation each, and others take their place', async () => {
    instance = await bench.start({ warmPods: 2 });
    await waitUntil('two warm pods', async () => (await pods('warm')) === 2);
    expect(
      bench.peers.tokens.filter(({ revoked }) => !revoked).every(({ conversationId }) => conversationId === ''),
    ).toBe(true);
    const ids = await Promise.all(Array.from({ length: 3 }, () => beginConversation(instance.gateway)));
    await Promise.all(ids.map((id) => turnIn(id, 'echo hi')));
    const claimed = await bench.database.pod.findMany({ where: { owner: instance.owner, state: 'claimed' } });
    expect(new Set(claimed.map(({ conversationId }) => conversationId))).toEqual(new Set(ids));
    for (const id of ids)
      expect((await outboxOf(bench, id)).filter(({ type }) => type === 'agent.pod.claimed')).toHaveLength(1);
    await waitUntil('two warm pods again', async () => (await pods('warm')) === 2);
  });

  it('are recycled when idle: the token is void, the conversation stays, and the next message is told the transcript [pod.no-orphan]', async () => {
    instance = await bench.start({ warmPods: 1, idleSeconds: 1 });
    const id = await beginConversation(instance.gateway);
    await turnIn(id, 'echo first');
    const claimed = await bench.database.pod.findFirstOrThrow({ where: { conversationId: id } });
    expect(await instance.runningPods()).toContain(claimed.id);
    await waitUntil('the pod to go', async () => (await pods('claimed')) === 0);
    await waitUntil('its processes to be gone', async () => !(await instance.runningPods()).includes(claimed.id));
    await waitUntil('its token to be void', () =>
      bench.peers.tokens.filter(({ conversationId }) => conversationId === id).every(({ revoked }) => revoked),
    );
    await waitUntil('its lease to be given back, which is done last', async () => {
      const conversation = await bench.database.conversation.findUniqueOrThrow({ where: { id } });
      return conversation.leaseHolder === null;
    });
    expect(await bench.database.conversation.findUnique({ where: { id } })).toMatchObject({
      status: 'active',
      occupiesSlot: false,
    });
    const said = textOf(await turnIn(id, 'echo second'));
    expect(said).toContain('{"role":"user","content":"echo first"}');
    const now = Date.now();
    const { rows } = await instance.gateway.listContainerUsage(
      { from: new Date(now - 3_600_000), to: new Date(now + 1_000) },
      admin('bob'),
    );
    expect(rows.reduce((sum, row) => sum + row.containerSeconds, 0)).toBeGreaterThan(1);
    expect(
      (
        await instance.gateway.listContainerUsage(
          { from: new Date(now - 3_600_000), to: new Date(now + 1_000) },
          as('bob'),
        )
      ).rows,
    ).toEqual([]);
    await expect(
      instance.gateway.listContainerUsage({ from: undefined, to: new Date(now) }, as('bob')),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('that died while they waited cost a conversation nothing but the time for another', async () => {
    instance = await bench.start({ warmPods: 1 });
    await waitUntil('a warm pod', async () => (await pods('warm')) === 1);
    const record = path.join(bench.home, 'pods', 'records');
    const { process: found } = JSON.parse(
      (await import('node:fs')).readFileSync(path.join(record, readdirSync(record)[0] ?? ''), 'utf8'),
    ) as { process: { pid: number } };
    process.kill(found.pid, 'SIGKILL');
    const id = await beginConversation(instance.gateway);
    expect(textOf(await turnIn(id, 'echo alive'))).toBe('echo alive');
  });

  it('that cannot be started end the turn with the reason and give the place back', async () => {
    const broken = path.join(bench.home, 'broken-pod.mjs');
    writeFileSync(broken, 'console.error("no such setting"); process.exit(3);');
    instance = await bench.start({ warmPods: 0, podProgram: broken });
    const id = await beginConversation(instance.gateway);
    const events = await turnIn(id, 'echo never');
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'pod_unavailable', retryable: true } });
    await waitUntil('the place to be free and the lease to be given up', async () => {
      const conversation = await bench.database.conversation.findUniqueOrThrow({ where: { id } });
      return !conversation.occupiesSlot && conversation.leaseHolder === null;
    });
    expect(await bench.database.pod.count({ where: { owner: instance.owner, state: { not: 'released' } } })).toBe(0);
    expect(readdirSync(path.join(bench.home, 'pods', 'work'))).toEqual([]);
  });

  it('leave nothing when the orchestrator stops: running turns end as interrupted with what was said', async () => {
    instance = await bench.start({ warmPods: 1 });
    const id = await beginConversation(instance.gateway);
    const { turnId } = await instance.gateway.runTurn(message(id, 'slow 100'), as('alice'));
    const waiting = await instance.gateway.runTurn(message(id, 'echo later'), as('alice'));
    await waitUntil('some text', async () => textOf(await eventsIn(bench, id)).includes('2 '));
    await instance.stop();
    expect(readdirSync(path.join(bench.home, 'pods', 'work'))).toEqual([]);
    expect(readdirSync(path.join(bench.home, 'pods', 'owners'))).toEqual([]);
    expect((await untilEnd(bench, id, turnId)).at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'turn_interrupted' },
    });
    instance = await bench.start({ warmPods: 0 });
    const events = await untilEnd(bench, id, waiting.turnId);
    expect(textOf(events)).toMatch(/\[message\]\necho later$/);
    expect(textOf(events)).toContain('"ended":"interrupted"');
  });
});
