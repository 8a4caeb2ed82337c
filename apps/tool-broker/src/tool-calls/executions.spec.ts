import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { useBroker } from '../broker.fixture.ts';
import { newSandboxState } from '../peers.fixture.ts';
import { pause, questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient, RawClient } from '../raw-mcp-client.fixture.ts';

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

  it('goes on while one of many identical calls still waits for it, and ends with the last [effect.last-caller]', async () => {
    const talk = await bed.begin();
    bed.sandbox.delayMs = 6_000;
    const client = await openClient(bed, talk);
    const callers = Array.from({ length: 6 }, () => new AbortController());
    const calls = callers.map(({ signal }) => client.call('execute_script', SCRIPT, signal).catch(() => 'gone'));
    const { toolCallId } = await answer(talk, 'approve');
    await waitUntil('the run', () => ranOf(talk) === 1);
    for (const caller of callers.slice(1)) caller.abort();
    await pause(1_500);
    expect(bed.sandbox.cancelled).not.toContain(toolCallId);
    callers[0]!.abort();
    await waitUntil('the order to end it', () => bed.sandbox.cancelled.includes(toolCallId), { timeoutMs: 3_000 });
    await Promise.all(calls);
    await waitUntil('its end', async () => (await rowsOf(talk))[0]!.status === 'done');
    expect(await bed.work(talk)).toHaveLength(0);
  }, 30_000);

  it('whose starter went away is the answer of those who still wait', async () => {
    const talk = await bed.begin();
    bed.sandbox.delayMs = 2_000;
    const client = await openClient(bed, talk);
    const callers = Array.from({ length: 4 }, () => new AbortController());
    const calls = callers.map(({ signal }) => client.call('execute_script', SCRIPT, signal).catch(() => 'gone'));
    const { toolCallId } = await answer(talk, 'approve');
    await waitUntil('the run', () => ranOf(talk) === 1);
    for (const caller of callers.slice(0, 3)) caller.abort();
    expect(await calls[3]).toMatchObject({ isError: false, text: expect.stringMatching(/Exit code 0/) });
    expect(bed.sandbox.cancelled).not.toContain(toolCallId);
    expect(ranOf(talk)).toBe(1);
  }, 30_000);

  it('goes on while a call of another process waits for it', async () => {
    const talk = await bed.begin();
    bed.sandbox.delayMs = 4_000;
    const other = await bed.startBroker({ holdSeconds: 12 });
    const gone = new AbortController();
    const client = await openClient(bed, talk);
    const here = client.call('execute_script', SCRIPT, gone.signal).catch(() => 'gone');
    const { toolCallId } = await answer(talk, 'approve');
    await waitUntil('the run', () => ranOf(talk) === 1);
    const elsewhere = new RawClient(other.mcpUrl, talk.token);
    await elsewhere.initialize();
    const there = elsewhere.call('execute_script', SCRIPT);
    await pause(1_000);
    gone.abort();
    expect(await here).toBe('gone');
    expect((await there).text).toMatch(/Exit code 0/);
    expect(bed.sandbox.cancelled).not.toContain(toolCallId);
    await other.kill();
  }, 30_000);

  it('that could not be asked for has failed and is not called unknown [effect.known-failure]', async () => {
    const talk = await bed.begin();
    // Of settings among the files all is known, so that deciding asks nothing of the sandbox.
    const seen = { text: '{}', revision: 'r', trusted: false, accepted: [] };
    const row = { where: { id: talk.conversationId }, data: { repository: JSON.stringify(seen) } };
    await bed.database.conversation.update(row);
    const own = await bed.startBroker({ holdSeconds: 20, effectPatienceMs: 500 });
    const client = new RawClient(own.mcpUrl, talk.token);
    await client.initialize();
    const write = client.call('write_file', { path: 'a.txt', contents: 'x' });
    const script = client.call('execute_script', SCRIPT);
    await waitUntil('both questions', async () => (await rowsOf(talk)).length === 2);
    await bed.stopSandbox();
    try {
      for (const { toolCallId, tool } of await rowsOf(talk))
        if (tool === 'execute_script') await answer(talk, 'approve', { toolCallId });
      expect(await script).toMatchObject({ isError: true, text: expect.stringMatching(/nothing was begun/) });
    } finally {
      await bed.startSandbox();
    }
    const rows = await rowsOf(talk);
    expect(rows.find(({ tool }) => tool === 'execute_script')!.status).toBe('failed');
    await answer(talk, 'deny', { toolCallId: rows.find(({ tool }) => tool === 'write_file')!.toolCallId });
    await write;
    expect(ranOf(talk)).toBe(0);
    await own.kill();
  }, 30_000);

  it('of one message that arrives twice happens once', async () => {
    const talk = await bed.begin();
    bed.identity.config = { ...bed.identity.config, requireApproval: [] };
    const free = await bed.begin();
    bed.identity.config = { ...bed.identity.config, requireApproval: ['execute_script'] };
    bed.sandbox.delayMs = 500;
    const client = await openClient(bed, free);
    const message = {
      jsonrpc: '2.0',
      id: 77,
      method: 'tools/call',
      params: { name: 'execute_script', arguments: SCRIPT },
    };
    const answers = await Promise.all(
      [client.post(message), client.post(message)].map(async (posted) => (await posted).json()),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(ranOf(free)).toBe(1);
    expect(ranOf(talk)).toBe(0);
  });

  it('does not happen when it cannot be recorded', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    await bed.asOwner('ALTER TABLE "outbox" RENAME TO "outbox_away"');
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
      await bed.asOwner('ALTER TABLE "outbox_away" RENAME TO "outbox"');
    }
  });
});
