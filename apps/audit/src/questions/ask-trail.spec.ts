/** The questions that are asked again and again, on a log with two people and two of everything. */
import { eventOf, type EventFacts, messageOf } from '../trail/events.fixture.ts';
import { member, reader, useTrail } from '../trail/trail.fixture.ts';
import { createAskTrail, type TrailQuestion } from './ask-trail.ts';
import { createQuestions } from './questions.prisma.ts';
import { createDatabase } from '../databases/database.prisma.ts';

const { open, url, rowsOf, tamper } = useTrail();
let database: ReturnType<typeof createDatabase>;
beforeAll(() => {
  database = createDatabase(url('audit'));
});
afterAll(() => database.$disconnect());

const DIGEST = 'd'.repeat(64);
const label = { integrity: 'untrusted', confidentiality: 'private' };
const call = (n: number) => ({ tool_call_id: `tc_${n}`, tool: 'execute_script' });
const question = (n: number) => ({ ...call(n), approval_id: `apr_${n}`, call_digest: DIGEST });
const agent = { actor: 'bravo:usr_bob', onbehalfof: 'usr_bob' };
const decided = (n: number, rule?: string) =>
  ({
    ...agent,
    type: 'agent.tool.decided',
    data: { ...call(n), effect: 'allow', step: 'x', reasons: [], policy_version: '1', ...(rule ? { rule } : {}) },
  }) as const;
const executed = (n: number) =>
  ({
    ...agent,
    type: 'agent.tool.executed',
    data: { ...call(n), status: 'completed', duration_ms: 1, output_digest: DIGEST, output_bytes: 1, label, refs: 1 },
  }) as const;

/** Two calls of bob's; the first approved by bob with its output let through, the second by a grant; slots 1 and 11 of different calls. */
const facts: Omit<EventFacts, 'seq'>[] = [
  { actor: 'user:usr_bob' },
  { ...agent, type: 'agent.tool.requested', data: { ...call(1), input_digest: DIGEST, input_bytes: 1 } },
  { actor: 'user:usr_bob', type: 'agent.tool.approved', data: { ...question(1), trust_output: true } },
  executed(1),
  {
    ...agent,
    type: 'agent.content.quarantined',
    data: { tool_call_id: 'tc_1', slot: 1, origin: 'output', bytes: 1, digest: DIGEST, label },
  },
  { ...agent, type: 'agent.content.released', data: { tool_call_id: 'tc_1', bytes: 1, digest: DIGEST } },
  {
    actor: 'user:usr_bob',
    type: 'agent.grant.created',
    data: {
      grant_id: 'grt_1',
      operation: 'execute_script',
      scope: 'path',
      scope_digest: DIGEST,
      source: 'person',
      expires_at: 'x',
    },
  },
  decided(2, 'grt_1'),
  executed(2),
  {
    ...agent,
    type: 'agent.content.quarantined',
    data: { tool_call_id: 'tc_2', slot: 11, origin: 'output', bytes: 1, digest: DIGEST, label },
  },
  decided(3, 'grt_10'),
  { actor: 'user:usr_bob', type: 'agent.grant.revoked', data: { grant_id: 'grt_1', reason: 'done' } },
  { actor: 'user:usr_carla', conversation: 'cnv_2', type: 'agent.tool.denied', data: question(4) },
  {
    actor: 'user:usr_alice',
    conversation: '',
    type: 'agent.trail.content_opened',
    data: { tool_call_id: 'tc_1', user_id: 'usr_bob' },
  },
];

const record = () => open().recordAll(facts.map((one, at) => messageOf(eventOf({ ...one, seq: at + 1 }))));
const ask = (principal: Parameters<ReturnType<typeof createAskTrail>>[0], over: Partial<TrailQuestion>) => {
  const { entries, recordRead } = open();
  const asked = { question: 'story', conversationId: '', slot: 0, subject: '', limit: 0, cursor: '', ...over };
  return createAskTrail({ entries, recordRead, questions: createQuestions(database) })(principal, asked);
};
const indexes = async (...of: Parameters<typeof ask>): Promise<number[]> =>
  (await ask(...of)).entries.map(({ index }) => index);
const bob = member('usr_bob');

describe('the trail is asked', () => {
  beforeEach(record);

  it('who could have seen a slot: its owner, the agent once it was released, and whoever opened it [trail.questions]', async () => {
    const answer = await ask(reader(), { question: 'slot', conversationId: 'cnv_1', slot: 1 });
    expect(answer.entries.map(({ index }) => index)).toEqual([2, 4, 5, 13]);
    expect(answer.seers).toEqual([
      { who: 'user:usr_bob', how: 'owner', index: 4 },
      { who: 'bravo:usr_bob', how: 'released', index: 5 },
      { who: 'user:usr_alice', how: 'opened', index: 13 },
    ]);
    expect((await ask(bob, { question: 'slot', conversationId: 'cnv_1', slot: 11 })).seers).toEqual([
      { who: 'user:usr_bob', how: 'owner', index: 9 },
    ]);
    expect(await indexes(bob, { question: 'slot', conversationId: 'cnv_1', slot: 2 })).toEqual([]);
  });

  it('for everything done under a grant, and not under one whose id begins alike', async () => {
    expect(await indexes(bob, { question: 'grant', subject: 'grt_1' })).toEqual([6, 7, 8, 9, 11]);
    await expect(ask(bob, { question: 'grant', subject: 'grt_2' })).rejects.toThrow(/no such grant/);
  });

  it("for a person's answers and what they caused, from the answer on", async () => {
    expect(await indexes(bob, { question: 'approvals', subject: 'usr_bob' })).toEqual([2, 3, 4, 5, 13]);
    expect(await indexes(reader(), { question: 'approvals', subject: 'usr_carla' })).toEqual([12]);
  });

  it("for a conversation's story in pages", async () => {
    const first = await ask(bob, { conversationId: 'cnv_1', limit: 5 });
    expect(first.entries.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(await indexes(bob, { conversationId: 'cnv_1', limit: 50, cursor: first.nextCursor })).toEqual([
      5, 6, 7, 8, 9, 10, 11,
    ]);
  });

  it('about others by whoever may read all of it, on record, and by nobody else [trail.questions]', async () => {
    const carla = member('usr_carla');
    for (const over of [
      { question: 'slot', conversationId: 'cnv_1', slot: 1 },
      { question: 'grant', subject: 'grt_1' },
      { question: 'approvals', subject: 'usr_bob' },
      { question: 'story', conversationId: 'cnv_1' },
    ]) {
      await expect(ask(carla, over)).rejects.toMatchObject({
        code: expect.stringMatching(/not_found|permission_denied/),
      });
      await expect(ask(reader({ agent: { conversationId: 'cnv_1', podId: 'pod_1' } as never }), over)).rejects.toThrow(
        /agent/,
      );
      expect((await ask(reader({ workspaceId: 'ws_b' }), over).catch(() => ({ entries: [] }))).entries).toEqual([]);
    }
    await ask(bob, { conversationId: 'cnv_1' });
    await tamper(`DELETE FROM outbox WHERE subject LIKE '%.ws_b'`);
    expect(await rowsOf('outbox')).toEqual([]);
    await ask(reader(), { question: 'approvals', subject: 'usr_bob' });
    const [told] = (await rowsOf('outbox')) as { body: string }[];
    expect(JSON.parse(told?.body ?? '{}')).toMatchObject({
      type: 'agent.trail.read',
      actor: 'user:usr_alice',
      data: { filter: '{"question":"approvals","subject":"usr_bob"}', entries: 5 },
    });
  });

  it.each<[string, Partial<TrailQuestion>, RegExp]>([
    ['no such question', { question: 'why' }, /one of story, slot, grant, approvals/],
    ['a name of every object', { question: 'constructor' }, /one of/],
    ['a slot without a conversation', { question: 'slot', slot: 1 }, /name it/],
    ['a slot of no number', { question: 'slot', conversationId: 'cnv_1', slot: 0 }, /from 1 on/],
    ['nobody', { question: 'approvals' }, /Name the person/],
    ['a strange cursor', { conversationId: 'cnv_1', cursor: 'eHg' }, /cursor/],
  ])('and says what is wrong with %s', async (_what, over, problem) => {
    await expect(ask(reader(), over)).rejects.toThrow(problem);
  });
});
