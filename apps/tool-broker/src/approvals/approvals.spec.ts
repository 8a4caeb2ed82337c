import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { newSandboxState } from '../peers.fixture.ts';
import { useBroker } from '../broker.fixture.ts';
import { pause, questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient, RawClient } from '../raw-mcp-client.fixture.ts';
import { APPROVAL_STATUSES, isLive, statusesBefore } from './approval-state.ts';

const bed = useBroker({ holdSeconds: 12 });

afterEach(() => {
  bed.sandbox.run = newSandboxState().run;
  bed.sandbox.delayMs = 0;
});

const { rowsOf, pendingOf, answer, ranOf } = questionsOf(bed);

it('the states lead forward only', () => {
  expect(APPROVAL_STATUSES.filter(isLive)).toEqual(['pending', 'approved', 'executing']);
  expect(statusesBefore('executing')).toEqual(['approved']);
  expect(statusesBefore('approved')).toEqual(['pending']);
  expect(statusesBefore('pending')).toEqual([]);
});

describe('one question', () => {
  it('for 50 identical calls at once, and one effect [approval.once] [hostile.once]', async () => {
    const talk = await bed.begin();
    // A few are worked on at a time: the last of them must still meet the question or its effect, also on a slow machine.
    bed.sandbox.delayMs = 4_000;
    const client = await openClient(bed, talk);
    const calls = Array.from({ length: 50 }, () => client.call('execute_script', SCRIPT));
    await pendingOf(talk);
    await pause(2_000);
    await answer(talk, 'approve');
    const answers = await Promise.all(calls);
    expect(await rowsOf(talk)).toHaveLength(1);
    expect(ranOf(talk)).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.text).toMatch(/ref:1/);
    expect((await bed.trail(talk)).filter((event) => event.type === 'agent.tool.executed')).toHaveLength(1);
  }, 40_000);

  it('of many people deciding at once is answered once [approval.once] [hostile.once]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', SCRIPT);
    const { toolCallId } = await pendingOf(talk);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => answer(talk, index % 2 === 0 ? 'approve' : 'deny', { toolCallId })),
    );
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'already_decided' });
    await held;
    expect((await bed.trail(talk)).filter((event) => /approved|denied/.test(event.type))).toHaveLength(1);
  });

  it('with a reworded why, a new one with a changed argument', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const calls = [
      client.call('execute_script', { ...SCRIPT, why: 'one' }),
      client.call('execute_script', { ...SCRIPT, why: 'two' }),
      client.call('execute_script', { ...SCRIPT, timeout_seconds: 5 }),
    ];
    await waitUntil('both questions', async () => (await rowsOf(talk)).length === 2);
    for (const row of await rowsOf(talk)) await answer(talk, 'deny', { toolCallId: row.toolCallId });
    expect((await Promise.all(calls)).every(({ isError }) => isError)).toBe(true);
    expect(await rowsOf(talk)).toHaveLength(2);
  });

  it('is spent: the same call after its end asks again', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const first = client.call('execute_script', SCRIPT);
    await answer(talk, 'approve');
    await first;
    const second = client.call('execute_script', SCRIPT);
    await answer(talk, 'deny');
    expect((await second).isError).toBe(true);
    expect((await rowsOf(talk)).map((row) => row.status)).toEqual(['done', 'denied']);
    expect(ranOf(talk)).toBe(1);
  });

  it('is answered by nobody but a person, and only by its own [approval.people-only] [hostile.own-answer] [hostile.neighbour-data]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', SCRIPT);
    const { toolCallId, conversationId } = await pendingOf(talk);
    const request = { conversationId, toolCallId, decision: 'approve', trustOutput: false };
    const gateway = await bed.as('gateway');
    const orchestrator = await bed.as('orchestrator');
    const stranger = await bed.begin();
    await expect(orchestrator.resolveApproval(request, bed.person(talk))).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(gateway.resolveApproval(request)).rejects.toMatchObject({ code: 'permission_denied' });
    const agent = { subject: { ...bed.person(talk).subject, agent: { conversationId, podId: 'pod_1' } } };
    await expect(gateway.resolveApproval(request, agent)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(gateway.resolveApproval(request, bed.person(stranger))).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      gateway.resolveApproval({ ...request, conversationId: stranger.conversationId }, bed.person(talk)),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(gateway.resolveApproval({ ...request, decision: 'yes' }, bed.person(talk))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(
      (await gateway.listApprovals({ conversationId: '', pendingOnly: true }, bed.person(talk))).approvals,
    ).toHaveLength(1);
    expect(
      (await gateway.listApprovals({ conversationId, pendingOnly: true }, bed.person(stranger))).approvals,
    ).toHaveLength(0);
    gateway.close();
    orchestrator.close();
    await answer(talk, 'deny');
    await held;
  });
});

describe('waiting', () => {
  it('past the hold is a plain result, and the answer makes a turn go on once', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk, 'somebody');
    const { text, isError } = await client.call('execute_script', SCRIPT);
    expect(isError).toBe(false);
    expect(text).toMatch(/^waiting for approval apr_/);
    const approval = await answer(talk, 'approve');
    const [item, ...more] = await waitUntil('the work', async () =>
      (await bed.work(talk)).length > 0 ? bed.work(talk) : undefined,
    );
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      reason: 'approval_decided',
      conversation_id: talk.conversationId,
      user_id: talk.userId,
    });
    expect(item!['prompt']).toBe(
      `[platform] The person approved the call you were waiting for (${approval.id}, tool execute_script). Make the identical call again now to pick up the answer. Arguments: ${JSON.stringify(SCRIPT)}`,
    );
    expect((await client.call('execute_script', SCRIPT)).text).toMatch(/Exit code 0/);
    expect(ranOf(talk)).toBe(1);
    await pause(4_000);
    expect(await bed.work(talk)).toHaveLength(1);
  }, 30_000);

  it('a denial without a held call is picked up by the identical call, once [approval.deny]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk, 'somebody');
    expect((await client.call('execute_script', SCRIPT)).text).toMatch(/^waiting/);
    await answer(talk, 'deny');
    expect((await bed.work(talk))[0]!['prompt']).toMatch(/The person denied/);
    expect(await client.call('execute_script', SCRIPT)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/denied this call/),
    });
    expect((await client.call('execute_script', SCRIPT)).text).toMatch(/^waiting for approval/);
    expect(await rowsOf(talk)).toHaveLength(2);
  }, 30_000);

  it('by a client that went away asks for a turn when the answer comes', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const gone = new AbortController();
    const held = client.call('execute_script', SCRIPT, gone.signal).catch(() => 'gone');
    await pendingOf(talk);
    gone.abort();
    expect(await held).toBe('gone');
    await waitUntil('the hold to be given up', async () => (await rowsOf(talk))[0]!.heldAt === null);
    await answer(talk, 'approve');
    expect(await bed.work(talk)).toHaveLength(1);
    expect(ranOf(talk)).toBe(0);
    expect((await client.call('execute_script', SCRIPT)).text).toMatch(/Exit code 0/);
    expect(ranOf(talk)).toBe(1);
  });

  it('goes on in another process after the first one died without a word', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    void client.call('execute_script', SCRIPT).catch(() => undefined);
    const question = await pendingOf(talk);
    // As a killed process leaves it: the hold looks alive and nobody is behind it.
    await bed.broker.kill();
    await waitUntil('its hold to be given back', async () => (await rowsOf(talk))[0]!.heldAt === null);
    bed.broker = await bed.startBroker({ holdSeconds: 20 });
    await bed.database.approval.update({ where: { id: question.id }, data: { heldAt: new Date() } });
    await answer(talk, 'approve', { toolCallId: question.toolCallId });
    expect(await bed.work(talk)).toHaveLength(0);
    await waitUntil('a turn to be asked for', async () => (await bed.work(talk)).length === 1, { timeoutMs: 15_000 });
    const again = await openClient(bed, talk);
    expect((await again.call('execute_script', SCRIPT)).text).toMatch(/Exit code 0/);
    expect(ranOf(talk)).toBe(1);
  }, 40_000);

  it('ends as refused when nobody answers, also after a restart [approval.expiry]', async () => {
    const talk = await bed.begin();
    const own = await bed.startBroker({ holdSeconds: 20, approvalTtlSeconds: 1, sweepMs: 60_000 });
    const client = new RawClient(own.mcpUrl, talk.token);
    await client.initialize();
    const held = client.call('execute_script', SCRIPT);
    const { toolCallId } = await pendingOf(talk);
    // Its own sweep sleeps; the other replica's does the work.
    expect(await held).toMatchObject({ isError: true, text: expect.stringMatching(/Nobody answered/) });
    await expect(answer(talk, 'approve', { toolCallId })).rejects.toMatchObject({ code: 'approval_expired' });
    expect((await bed.trail(talk)).map((event) => event.type)).toContain('agent.tool.expired');
    expect((await bed.stream(talk)).at(-1)).toMatchObject({ event: 'tool_call_end', data: { status: 'expired' } });
    await own.kill();
  });
});
