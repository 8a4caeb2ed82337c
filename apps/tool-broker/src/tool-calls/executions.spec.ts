import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { useBroker } from '../broker.fixture.ts';
import { newSandboxState } from '../peers.fixture.ts';
import { pause, questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker({ holdSeconds: 12 });
const { rowsOf, answer, ranOf } = questionsOf(bed);

afterEach(() => {
  bed.sandbox.run = newSandboxState().run;
  bed.sandbox.delayMs = 0;
});

describe('an execution', () => {
  it('of a process that died is brought to its end by its id, and the agent is told to come back', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', SCRIPT);
    await answer(talk, 'approve');
    await held;
    // The state a broker leaves that was killed between start and end.
    const [row] = await rowsOf(talk);
    await bed.database.slot.deleteMany({ where: { conversationId: talk.conversationId } });
    await bed.database.toolCall.update({
      where: { id: row!.toolCallId },
      data: {
        status: 'running',
        finishedAt: null,
        output: '',
        refs: [],
        runner: 'dead',
        runnerSeenAt: new Date(Date.now() - 60_000),
      },
    });
    await bed.database.approval.update({ where: { id: row!.id }, data: { status: 'executing', deliveredAt: null } });
    await waitUntil('its end', async () => (await rowsOf(talk))[0]!.status === 'done', { timeoutMs: 15_000 });
    expect(ranOf(talk)).toBe(1);
    await waitUntil('the work', async () => (await bed.work(talk)).length === 1);
    expect((await client.call('execute_script', SCRIPT)).text).toMatch(/Exit code 0[\s\S]*ref:2/);
    expect(ranOf(talk)).toBe(1);
    expect(await rowsOf(talk)).toHaveLength(1);
  }, 30_000);

  it('longer than the client waits is answered with "come back", and the identical call meets the same run', async () => {
    const talk = await bed.begin();
    bed.sandbox.delayMs = 5_000;
    const client = await openClient(bed, talk, 'somebody');
    const held = client.call('execute_script', SCRIPT);
    await answer(talk, 'approve');
    expect(await held).toMatchObject({ isError: false, text: expect.stringMatching(/^still running: approval apr_/) });
    await waitUntil('its end', async () => (await rowsOf(talk))[0]!.status === 'done');
    await waitUntil('the agent to be asked back', async () => (await bed.work(talk)).length === 1, {
      timeoutMs: 15_000,
    });
    expect((await client.call('execute_script', SCRIPT)).text).toMatch(/Exit code 0/);
    expect(ranOf(talk)).toBe(1);
  }, 40_000);

  it('is ended when its caller goes away, and nobody is asked back', async () => {
    const talk = await bed.begin();
    bed.sandbox.delayMs = 1_000;
    const client = await openClient(bed, talk);
    const gone = new AbortController();
    const held = client.call('execute_script', SCRIPT, gone.signal).catch(() => 'gone');
    await answer(talk, 'approve');
    await waitUntil('the run', () => ranOf(talk) === 1);
    gone.abort();
    await held;
    await waitUntil('the order to end it', () => bed.sandbox.cancelled.length === 1);
    await waitUntil('its end', async () => (await rowsOf(talk))[0]!.status === 'done');
    await pause(4_000);
    expect(await bed.work(talk)).toHaveLength(0);
  }, 30_000);

  it('does not happen when it cannot be recorded', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    await bed.database.$executeRawUnsafe('ALTER TABLE "broker"."outbox" RENAME TO "outbox_away"');
    try {
      const files = bed.sandbox.writes.length;
      expect(await client.call('execute_script', SCRIPT)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/went wrong on our side/),
      });
      expect(ranOf(talk)).toBe(0);
      expect(bed.sandbox.writes.length).toBe(files);
      expect(await rowsOf(talk)).toHaveLength(0);
    } finally {
      await bed.database.$executeRawUnsafe('ALTER TABLE "broker"."outbox_away" RENAME TO "outbox"');
    }
  });
});
