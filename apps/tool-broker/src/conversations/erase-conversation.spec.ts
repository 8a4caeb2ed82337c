import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { type Talk, useBroker } from '../broker.fixture.ts';
import { newSandboxState } from '../peers.fixture.ts';
import { questionsOf } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker({ holdSeconds: 12 });
const { rowsOf, pendingOf, answer, ranOf } = questionsOf(bed);

const SECRET = 'the-secret-words';
const script = { language: 'python', code: `print("${SECRET}")`, why: `because of ${SECRET}` };

afterEach(() => {
  bed.sandbox.run = newSandboxState().run;
  bed.sandbox.delayMs = 0;
});

const erase = async (talk: Talk, workspaceId = talk.workspaceId): Promise<void> => {
  const orchestrator = await bed.as('orchestrator');
  await orchestrator.eraseConversation(
    { conversationId: talk.conversationId },
    { subject: { userId: 'service:orchestrator', workspaceId } },
  );
  orchestrator.close();
};

/** Every word the broker's database has of a conversation. */
const everythingOf = async ({ conversationId }: Talk) => {
  const where = { conversationId };
  const rows = {
    calls: await bed.database.toolCall.findMany({ where, orderBy: { createdAt: 'asc' } }),
    questions: await bed.database.approval.findMany({ where, orderBy: { createdAt: 'asc' } }),
    slots: await bed.database.slot.findMany({ where }),
    marks: await bed.database.pathTrust.findMany({ where }),
    notices: await bed.database.turnNotice.findMany({ where }),
    outbox: await bed.database.outbox.findMany({ where: { body: { contains: conversationId } } }),
  };
  const text = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return { ...rows, text };
};

describe('erasing a conversation', () => {
  it('leaves no argument and no output, and keeps what was decided and its digests [erasure.words]', async () => {
    const talk = await bed.begin();
    bed.sandbox.run = () => ({ stdout: `${SECRET}\n` });
    const client = await openClient(bed, talk);
    const run = client.call('execute_script', script);
    await answer(talk, 'approve', { trustOutput: true });
    expect((await run).text).toContain(SECRET);
    const write = client.call('write_file', { path: `${SECRET}.txt`, contents: SECRET });
    await answer(talk, 'approve');
    await write;
    const quick = await openClient(bed, talk, 'somebody');
    expect((await quick.call('execute_script', { ...script, timeout_seconds: 9 })).text).toMatch(/^waiting/);
    await answer(talk, 'deny');
    const before = await everythingOf(talk);
    expect(before.text).toContain(SECRET);
    expect(before.outbox.filter((row) => row.stream === 'WORK')).toHaveLength(1);

    await erase(talk);
    const after = await everythingOf(talk);
    expect(after.text).not.toContain(SECRET);
    expect(after.calls.map(({ id, status, callDigest, reasons }) => ({ id, status, callDigest, reasons }))).toEqual(
      before.calls.map(({ id, status, callDigest, reasons }) => ({ id, status, callDigest, reasons })),
    );
    expect(after.questions.map(({ id, status, callDigest }) => ({ id, status, callDigest }))).toEqual(
      before.questions.map(({ id, status, callDigest }) => ({ id, status, callDigest })),
    );
    expect([after.slots, after.marks, after.notices]).toEqual([[], [], []]);
    expect(after.outbox.every((row) => row.stream === 'EVENTS')).toBe(true);
    expect(after.outbox).toHaveLength(before.outbox.length - 1);
    await erase(talk);
  });

  it('ends an open question: nothing runs, and the waiting call is told', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', script);
    const { toolCallId } = await pendingOf(talk);
    await erase(talk);
    expect(await held).toMatchObject({ isError: true, text: expect.stringMatching(/conversation has ended/) });
    await expect(answer(talk, 'approve', { toolCallId })).rejects.toMatchObject({ code: 'approval_superseded' });
    expect(ranOf(talk)).toBe(0);
    const left = await everythingOf(talk);
    expect(left.text).not.toContain(SECRET);
    const told = left.outbox.map((row) => JSON.parse(row.body) as { type: string; data: Record<string, unknown> });
    expect(told.filter(({ type }) => type === 'agent.tool.superseded')).toMatchObject([
      { data: { tool_call_id: toolCallId, reason: 'the conversation ended' } },
    ]);
  });

  it('takes the files and results with it, and fails until the sandbox has done so', async () => {
    const talk = await bed.begin();
    bed.sandbox.failsErase = true;
    await expect(erase(talk)).rejects.toMatchObject({ code: 'unavailable' });
    bed.sandbox.failsErase = false;
    await erase(talk);
    expect(bed.sandbox.erased).toContain(`${talk.workspaceId}/${talk.conversationId}`);
  });

  it('takes what a program still brings afterwards too', async () => {
    const talk = await bed.begin();
    bed.sandbox.delayMs = 1_500;
    bed.sandbox.run = () => ({ stdout: `${SECRET}\n` });
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', script);
    await answer(talk, 'approve');
    await waitUntil('the run', () => ranOf(talk) === 1);
    await erase(talk);
    await held;
    await waitUntil('its end', async () => (await rowsOf(talk))[0]!.status === 'done');
    expect((await everythingOf(talk)).text).not.toContain(SECRET);
  });

  it('is nothing another workspace can do', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', script);
    await pendingOf(talk);
    await erase(talk, 'ws_other');
    await answer(talk, 'approve');
    expect((await held).text).toMatch(/Exit code 0/);
  });
});
