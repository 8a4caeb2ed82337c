/** What a fresh pod is told of a long conversation, and `/compact`, through the whole orchestrator with real pods: the record stays as it is. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  as,
  beginConversation,
  type Instance,
  message,
  outboxOf,
  textOf,
  untilEnd,
  useBench,
} from '../fixtures/orchestrator.fixture.ts';

const bench = useBench();
let instance: Instance;
beforeAll(async () => {
  instance = await bench.start({ warmPods: 0, turnSeconds: 60 });
  bench.peers.answers.maxConcurrent = 50;
}, 60_000);
afterAll(() => instance?.stop(), 30_000);
afterEach(() => void Object.assign(bench.peers.answers, { budgetTokens: 120_000, summarises: true, summary: 'short' }));

const alice = as('alice');
/** So many turns as they would be recorded. */
const record = async (conversationId: string, turns: number): Promise<void> => {
  const ids = Array.from({ length: turns }, (_, i) => `trn_${conversationId.slice(-6)}${i}`);
  await bench.database.turn.createMany({
    data: ids.map((id) => ({
      id,
      conversationId,
      reason: 'message',
      userMessageId: `msg_${id}_user`,
      status: 'completed',
      streamPosition: 0n,
      slotLimit: 1,
      finishedAt: new Date(),
      terminalPublishedAt: new Date(),
    })),
  });
  const said = (id: string, role: string, content: string) => ({
    id: `msg_${id}_${role}`,
    conversationId,
    turnId: id,
    role,
    content,
    status: 'complete',
  });
  await bench.database.message.createMany({
    data: ids.flatMap((id, i) => [
      said(id, 'user', `question ${i} ${'q'.repeat(60)}`),
      said(id, 'assistant', `answer ${i} ${'a'.repeat(60)}`),
    ]),
  });
};
/** Count and digest of every message that was recorded before. */
const recordOf = async (conversationId: string) => {
  const rows = await bench.database.message.findMany({
    where: { conversationId, id: { contains: 'msg_trn_' } },
    orderBy: { seq: 'asc' },
  });
  return {
    count: rows.length,
    digest: createHash('sha256')
      .update(JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
      .digest('hex'),
  };
};
const begin = async (turns: number) => {
  const conversationId = await beginConversation(instance.gateway);
  await record(conversationId, turns);
  const say = async (content: string) => {
    const { turnId } = await instance.gateway.runTurn(message(conversationId, content), alice);
    const events = await untilEnd(bench, conversationId, turnId, { timeoutMs: 60_000 });
    return {
      events,
      text: textOf(events),
      notices: events.flatMap((event) => (event.event === 'notice' ? [event.data] : [])),
    };
  };
  const summarised = () => bench.peers.summarised.filter((asked) => asked.conversationId === conversationId);
  return { conversationId, say, summarised };
};

describe('a fresh pod', () => {
  it('answers in a conversation of 10,000 messages, told the newest and a summary of what the window has no room for [context.import]', async () => {
    const { conversationId, say, summarised } = await begin(5_000);
    const before = await recordOf(conversationId);
    const { text, notices, events } = await say('and now?');
    expect(events.at(-1)?.event).toBe('message_end');
    const lines = text.split('\n');
    expect(lines).toContain('[summary] "short"');
    expect(text).toContain('"content":"answer 4999 ');
    expect(text).not.toContain('"content":"question 0 ');
    expect(lines.slice(-2)).toEqual(['[message]', 'and now?']);
    expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
    expect(notices).toMatchObject([
      {
        kind: 'context_compacted',
        text: expect.stringMatching(
          /^A fresh agent goes on here\. Its [\d]+ oldest messages are told to Small as a summary of about 5 tokens/,
        ),
      },
    ]);
    expect(summarised()).toHaveLength(1);
    // Never half a turn: what is told begins with a question.
    expect(lines[lines.indexOf('[transcript]') + 1]).toMatch(/^\{"role":"user","content":"question/);
    expect(await recordOf(conversationId)).toEqual(before);
    expect(before.count).toBe(10_000);
  }, 90_000);

  it('of a small model is told what half of its window takes, and the next one a summary that grew from the first', async () => {
    bench.peers.answers.budgetTokens = 2_000;
    const { say, summarised } = await begin(100);
    const first = await say('one');
    expect(Buffer.byteLength(first.text)).toBeLessThan(3_500);
    await say('die');
    const second = await say('two');
    expect(second.text).toContain('[summary] "short"');
    // Of what was summarised before, only the summary goes into the next one. (The fake agent answered with all it was told.)
    expect(summarised().map(({ earlier }) => earlier)).toEqual(['', 'short']);
    expect(summarised()[1]?.messages.map(({ content }) => content.slice(0, 11))).toContain('one');
    expect(second.notices).toHaveLength(1);
  }, 60_000);

  it.each([
    ['a planner that writes no summaries', { summarises: false }, /because Small writes no summaries/],
    ['a model whose summary is not smaller', { summary: '' }, /because no summary was smaller/],
  ])(
    'of %s is told the newest, and the person is told how much is not',
    async (_what, answers, why) => {
      Object.assign(bench.peers.answers, { budgetTokens: 2_000, ...answers });
      const { say } = await begin(100);
      const { text, notices } = await say('go on');
      expect(text).not.toContain('[summary]');
      expect(text).toMatch(/\[platform\] \d+ older message\(s\) are left out here\./);
      expect(notices).toMatchObject([{ kind: 'history_left_out', text: expect.stringMatching(why) }]);
    },
    60_000,
  );
});

describe('/compact', () => {
  it('makes a summary of 500 turns, ends the pod, and leaves the record as it was [context.compact]', async () => {
    const { conversationId, say, summarised } = await begin(0);
    await say('whole');
    expect(await bench.database.pod.count({ where: { conversationId, state: 'claimed' } })).toBe(1);
    await record(conversationId, 500);
    const before = await recordOf(conversationId);
    const { text, events } = await say('/compact');
    expect(text).toMatch(
      /^Compacted: 998 older messages are told to Small as a summary of about 5 tokens from now on\. The newest 4 stay as they were said, and everything stays in the record\.$/,
    );
    expect(events.at(-1)?.event).toBe('message_end');
    expect(summarised()).toHaveLength(1);
    expect(summarised()[0]?.messages).toHaveLength(998);
    expect(await recordOf(conversationId)).toEqual(before);
    expect(await bench.database.pod.count({ where: { conversationId, state: 'claimed' } })).toBe(0);
    const told = (await outboxOf(bench, conversationId)).find(({ type }) => type === 'agent.context.compacted');
    expect(told).toMatchObject({
      actor: expect.stringMatching(/^user:/),
      data: { when: 'asked', messages: 998, left_out: 0 },
    });
    const next = await say('and now?');
    expect(next.text).toContain('[summary] "short"');
    expect(next.text).toContain('"content":"answer 499 ');
    expect(next.text).not.toContain('"content":"answer 490 ');
    expect((await instance.gateway.getInstructions({ conversationId }, alice)).summarisedMessages).toBe(998);
  }, 60_000);

  it('as the first line of a message compacts and goes on with the rest', async () => {
    const { say } = await begin(20);
    const { text, notices } = await say('/compact\nand go on');
    expect(text.split('\n').slice(-2)).toEqual(['[message]', 'and go on']);
    expect(text).toContain('[summary] "short"');
    expect(notices).toMatchObject([{ kind: 'context_compacted', text: expect.stringMatching(/^Compacted: 36 older/) }]);
  }, 60_000);

  it.each([
    ['too little was said', 2, {}, /nothing to compact yet/],
    ['the model writes no summaries', 20, { summarises: false }, /Small writes no summaries.*Choose a language model/],
    ['the summary would not be smaller', 20, { summary: '' }, /no summary was smaller/],
  ])(
    'changes nothing where %s, and says so',
    async (_what, turns, answers, sentence) => {
      Object.assign(bench.peers.answers, answers);
      const { conversationId, say } = await begin(turns);
      expect((await say('/compact')).text).toMatch(sentence);
      expect(await bench.database.conversationSummary.count({ where: { conversationId } })).toBe(0);
    },
    60_000,
  );
});

describe('instructions', () => {
  it('are given to the model gateway before a turn, versioned where they change, and gone with the conversation [context.told]', async () => {
    const { conversationId, say } = await begin(0);
    await say('hello');
    const head = bench.peers.heads.get(conversationId);
    expect(head).toMatchObject({
      version: 1,
      digest: createHash('sha256')
        .update(head?.text ?? '')
        .digest('hex'),
    });
    expect(head?.text).toContain('You work for "N" (member) in the workspace "W"');
    await say('again');
    expect(bench.peers.heads.get(conversationId)?.version).toBe(1);
    bench.peers.answers.settings.set('workspace', { instructions: 'Be formal.' });
    bench.peers.answers.file = { state: 'untrusted', text: 'never this', bytes: 10, refusedBecause: '' };
    await say('and now');
    bench.peers.answers.settings.clear();
    bench.peers.answers.file = { state: 'absent', text: '', bytes: 0, refusedBecause: '' };
    expect(bench.peers.heads.get(conversationId)?.version).toBe(2);
    expect(bench.peers.heads.get(conversationId)?.text).toContain('Be formal.');
    expect(bench.peers.heads.get(conversationId)?.text).not.toContain('never this');
    const told = await instance.gateway.getInstructions({ conversationId }, alice);
    expect(told).toMatchObject({ version: 2, digest: bench.peers.heads.get(conversationId)?.digest });
    expect(told.parts.map(({ source, told: is }) => [source, is])).toEqual([
      ['platform', true],
      ['person', true],
      ['settings.workspace', true],
      ['AGENTS.md', false],
    ]);
    const events = (await outboxOf(bench, conversationId)).filter(({ type }) => type === 'agent.instructions.told');
    expect(events.map(({ data }) => data['version'])).toEqual([1, 2]);
    expect(JSON.stringify(events)).not.toContain('formal');
    await expect(instance.gateway.getInstructions({ conversationId }, as('bob'))).rejects.toMatchObject({
      code: 'not_found',
    });
    await instance.gateway.endConversation({ conversationId }, alice);
    expect(bench.peers.heads.has(conversationId)).toBe(false);
  }, 60_000);
});
