/** Questions to the person from the call to the answer, on real servers: who answers, what of it the agent is told, and what is kept. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { MAX_WAITING } from '../approvals/limit-questions.ts';
import { useBroker } from '../broker.fixture.ts';
import { questionsOf } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker({ holdSeconds: 12 });
const { rowsOf, pendingOf, answer } = questionsOf(bed);

const COLOUR = { header: 'Colour', question: 'Which colour?', options: ['red', 'blue', 'green'] };
const SIZE = { header: 'Size', question: 'How large?' };
const EXTRAS = { header: 'Extras', question: 'What else?', options: ['a', 'b', 'c'], multiple: true };
const SECRET_WORDS = 'as large as a quokka';

const drawnFor = async (talk: Awaited<ReturnType<typeof bed.begin>>) => {
  const gateway = await bed.as('gateway');
  const { toolCallId } = await pendingOf(talk);
  const { previewJson } = await gateway.getPreview(
    { conversationId: talk.conversationId, toolCallId },
    bed.person(talk),
  );
  gateway.close();
  return JSON.parse(previewJson) as {
    symbols: number;
    rows: { text: string }[];
    questions: { number: number; question: { text: string }; options: { text: string }[] }[];
  };
};

describe('questions to the person', () => {
  it('are answered by a choice, in their own words, or not at all; the agent is told as much and the trail nothing of it [asks.answers] [asks.at-rest]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('ask_user', { questions: [COLOUR, SIZE, EXTRAS], why: 'to begin' });
    await answer(talk, 'approve', {
      answers: [
        { question: 1, options: [2] },
        { question: 2, words: SECRET_WORDS },
        { question: 3, options: [1, 3], words: 'and d' },
      ],
    });
    const { text, isError } = await held;
    expect(isError).toBe(false);
    expect(text).toBe(
      `What the person answered:\n1. Colour: chosen: blue\n2. Size: in their own words: ${SECRET_WORDS}\n3. Extras: chosen: a; c, and in their own words: and d`,
    );
    const call = await bed.database.toolCall.findFirstOrThrow({ where: { conversationId: talk.conversationId } });
    expect(call).toMatchObject({ integrity: 'trusted', confidentiality: 'public' });
    const rows = await bed.database.answer.findMany({ where: { conversationId: talk.conversationId } });
    expect(rows).toHaveLength(3);
    for (const { content } of rows) expect(Buffer.from(content).includes('quokka')).toBe(false);
    const trail = await bed.trail(talk);
    expect(trail.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['agent.tool.approval_requested', 'agent.tool.approved', 'agent.tool.executed']),
    );
    expect(JSON.stringify(trail)).not.toMatch(/quokka|blue|colour\?/i);
    expect(await bed.database.conversation.findUniqueOrThrow({ where: { id: talk.conversationId } })).toMatchObject({
      integrity: 'trusted',
      holdsPrivate: false,
    });
  });

  it('have one answer each, by what they offer; what does not fit is refused and the question stays [asks.answers]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('ask_user', { questions: [COLOUR, SIZE] });
    const size = { question: 2, skipped: true };
    for (const answers of [
      [],
      [{ question: 1, options: [1] }],
      [{ question: 1, options: [4] }, size],
      [{ question: 1, options: [0] }, size],
      [{ question: 1, options: [1, 2] }, size],
      [{ question: 1, options: [1], words: 'x' }, size],
      [{ question: 1, options: [1], skipped: true }, size],
      [{ question: 1 }, size],
      [{ question: 1, words: '  ' }, size],
      [{ question: 1, options: [1] }, { question: 1, options: [1] }, size],
      [{ question: 1, options: [1] }, size, { question: 3, words: 'x' }],
      [
        { question: 1, options: [1] },
        { question: 2, options: [1] },
      ],
      [
        { question: 1, options: [1] },
        { question: 2, words: 'x'.repeat(4_001) },
      ],
    ])
      await expect(answer(talk, 'approve', { answers })).rejects.toMatchObject({
        code: 'invalid_argument',
        meta: { field: 'answers' },
      });
    expect((await rowsOf(talk)).map(({ status }) => status)).toEqual(['pending']);
    await answer(talk, 'approve', { answers: [{ question: 1, options: [3] }, size] });
    expect((await held).text).toContain('1. Colour: chosen: green\n2. Size: skipped. Go on without an answer');
  });

  it('are no answers to a call that wants a yes or a no', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', { language: 'bash', code: 'true' });
    await expect(answer(talk, 'approve', { answers: [{ question: 1, words: 'yes' }] })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await answer(talk, 'deny');
    await held;
  });

  it('that were answered are not asked again in the conversation; of a call with new ones only those are [asks.remembered]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const first = client.call('ask_user', { questions: [COLOUR, SIZE] });
    await answer(talk, 'approve', {
      answers: [
        { question: 1, options: [1] },
        { question: 2, skipped: true },
      ],
    });
    await first;
    const again = await client.call('ask_user', { questions: [SIZE, COLOUR] });
    expect(again.text).toMatch(/answered before:\n1\. Size: skipped.*\n2\. Colour: chosen: red$/);
    expect(await rowsOf(talk)).toHaveLength(1);
    const third = client.call('ask_user', { questions: [COLOUR, EXTRAS] });
    await pendingOf(talk);
    expect((await drawnFor(talk)).questions.map(({ number }) => number)).toEqual([2]);
    await expect(answer(talk, 'approve', { answers: [{ question: 1, options: [2] }] })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await answer(talk, 'approve', { answers: [{ question: 2, options: [2] }] });
    expect((await third).text).toContain('1. Colour: chosen: red\n2. Extras: chosen: b');
    const other = await bed.begin();
    const elsewhere = (await openClient(bed, other)).call('ask_user', { questions: [COLOUR, SIZE] });
    await answer(other, 'deny');
    expect(await elsewhere).toMatchObject({ isError: true, text: expect.stringContaining('denied') });
  });

  it('wait for the person also when the turn has ended: the work goes on once, and the identical call has the answers [asks.survives]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk, 'somebody-else');
    const waiting = await client.call('ask_user', { questions: [COLOUR] });
    expect(waiting).toMatchObject({ isError: false, text: expect.stringMatching(/^waiting for approval apr_/) });
    await answer(talk, 'approve', { answers: [{ question: 1, words: 'mauve' }] });
    const [item, ...more] = await waitUntil('the work', async () => {
      const items = await bed.work(talk);
      return items.length > 0 && items;
    });
    expect(more).toEqual([]);
    expect(String(item?.['prompt'])).toContain('tool ask_user');
    expect(String(item?.['prompt'])).not.toContain('mauve');
    expect((await client.call('ask_user', { questions: [COLOUR], why: 'reworded' })).text).toContain('mauve');
    expect(await rowsOf(talk)).toMatchObject([{ status: 'done' }]);
  }, 30_000);

  it('are declined where nobody looks on [asks.nobody]', async () => {
    const talk = await bed.begin('coworker', {}, true);
    const refused = await (await openClient(bed, talk)).call('ask_user', { questions: [COLOUR] });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('nobody can be asked here') });
    expect(await rowsOf(talk)).toEqual([]);
  });

  it('are asked by no context that has met what nobody vouched for; their answers are as private as they are [asks.context]', async () => {
    const fallen = await bed.begin();
    await bed.database.conversation.update({ where: { id: fallen.conversationId }, data: { integrity: 'untrusted' } });
    const refused = await (await openClient(bed, fallen)).call('ask_user', { questions: [COLOUR] });
    expect(refused.isError).toBe(true);
    expect(await rowsOf(fallen)).toEqual([]);

    const secretive = await bed.begin();
    await bed.database.conversation.update({ where: { id: secretive.conversationId }, data: { holdsPrivate: true } });
    const held = (await openClient(bed, secretive)).call('ask_user', { questions: [SIZE] });
    await answer(secretive, 'approve', { answers: [{ question: 1, words: 'small' }] });
    await held;
    expect(
      await bed.database.toolCall.findFirstOrThrow({ where: { conversationId: secretive.conversationId } }),
    ).toMatchObject({ integrity: 'trusted', confidentiality: 'private' });
  });

  it('are drawn with what cannot be seen as symbols, in the rows and where they are chosen from [asks.honest]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const tricky = { header: 'Pay', question: 'Pay \u202eevil\u202c?', options: ['y\u200bes', 'no'] };
    const held = client.call('ask_user', { questions: [tricky] });
    await pendingOf(talk);
    const drawn = await drawnFor(talk);
    expect(drawn.symbols).toBe(3);
    const [shown] = drawn.questions;
    const texts = [
      shown!.question.text,
      ...shown!.options.map(({ text }) => text),
      ...drawn.rows.map((row) => row.text),
    ];
    for (const text of texts) expect(text).not.toMatch(/[\u202e\u202c\u200b]/);
    await answer(talk, 'approve', { answers: [{ question: 1, options: [2] }] });
    await held;
  });

  it('in greater number than a person can answer are refused, and identical ones are one [approval.flood]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk, 'somebody-else');
    const flood = async (at: number) =>
      client.call('ask_user', { questions: [{ header: 'Again', question: `${at}?` }] });
    const data = { conversationId: talk.conversationId, workspaceId: talk.workspaceId, userId: talk.userId };
    const waiting = await flood(0);
    expect(waiting.text).toMatch(/^waiting for approval/);
    for (let at = 1; at < MAX_WAITING; at += 1) {
      const ids = { id: `tc_${talk.conversationId}_${at}`, ...data, tool: 'ask_user', input: '{}', why: '' };
      await bed.database.toolCall.create({ data: { ...ids, status: 'needs_approval' } });
      await bed.database.approval.create({
        data: {
          ...{ ...ids, id: `apr_${talk.conversationId}_${at}`, toolCallId: ids.id, asks: '[]', callDigest: `${at}` },
          ...{ trustOutputOffered: false, expiresAt: new Date(Date.now() + 600_000) },
        },
      });
    }
    expect((await flood(1)).text).toContain(`${MAX_WAITING} questions of this conversation wait`);
    expect((await flood(0)).text).toBe(waiting.text);
    expect(await rowsOf(talk)).toHaveLength(MAX_WAITING);
  }, 30_000);

  it('are answered by nothing a client sends back [asks.people-only]', async () => {
    const talk = await bed.begin();
    const client = new Client(
      { name: 'new', version: '1' },
      { capabilities: { elicitation: { url: {}, form: {} } }, versionNegotiation: { mode: 'auto' } },
    );
    let sent = 0;
    client.setRequestHandler('elicitation/create', async () => {
      sent += 1;
      return { action: 'accept' as const, content: { answers: 'red', '1': 'red' } };
    });
    const requestInit = { headers: { authorization: `Bearer ${talk.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(bed.broker.mcpUrl), { requestInit }));
    const held = client.callTool({ name: 'ask_user', arguments: { questions: [COLOUR] } });
    await waitUntil('the client to be told', () => sent > 0);
    await pendingOf(talk);
    expect(await bed.database.answer.count({ where: { conversationId: talk.conversationId } })).toBe(0);
    const gateway = await bed.as('gateway');
    const agent = { conversationId: talk.conversationId, podId: 'pod_1' };
    const { toolCallId } = await pendingOf(talk);
    await expect(
      gateway.resolveApproval(
        {
          ...{ conversationId: talk.conversationId, toolCallId, decision: 'approve', trustOutput: false },
          answers: { answers: [{ question: 1, options: [1], words: '', skipped: false }] },
        },
        { subject: { ...bed.person(talk).subject, agent } },
      ),
    ).rejects.toMatchObject({ code: 'permission_denied' });
    gateway.close();
    await answer(talk, 'deny');
    expect(await held).toMatchObject({ isError: true });
    await client.close();
  });

  it('and their answers go with the conversation [asks.at-rest] [erasure.words]', async () => {
    const talk = await bed.begin();
    const held = (await openClient(bed, talk)).call('ask_user', { questions: [SIZE] });
    await answer(talk, 'approve', { answers: [{ question: 1, words: SECRET_WORDS }] });
    await held;
    const orchestrator = await bed.as('orchestrator');
    await orchestrator.eraseConversation({ conversationId: talk.conversationId }, bed.person(talk));
    orchestrator.close();
    expect(await bed.database.answer.count({ where: { conversationId: talk.conversationId } })).toBe(0);
    const rows = await bed.database.toolCall.findMany({ where: { conversationId: talk.conversationId } });
    expect(JSON.stringify(rows)).not.toContain('quokka');
  });
});
