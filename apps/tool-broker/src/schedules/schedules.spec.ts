/** Loops and goals on the whole broker: what begins them, what asks again, and everything that ends them. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { useBroker } from '../broker.fixture.ts';
import { MAX_LINE_BYTES } from './schedule.ts';
import { turnsOf } from './schedules.fixture.ts';

const bed = useBroker();
const open = async () => {
  const talk = await bed.begin();
  return { talk, turns: await turnsOf(bed, talk) };
};

afterEach(() => {
  bed.identity.config.enabled = true;
  bed.models.budgetGone = false;
  bed.models.asked.length = 0;
  bed.models.answer = () => 'NOT MET';
});

describe('a loop with an interval', () => {
  it('asks the line again, unchanged, once its turn is over and the time has come, and never twice for one time [schedules.own-line] [schedules.once]', async () => {
    const { talk, turns } = await open();
    expect(await turns.begin('trn_1', { line: 'check  the build', command: 'loop', everySeconds: 300 })).toBe('');
    // While the turn runs there is no next one.
    expect(await turns.list()).toMatchObject([{ kind: 'loop', status: 'live', fires: 1, dueAt: undefined }]);
    const ended = Date.now();
    await turns.end('trn_1');
    await turns.end('trn_1');
    const [loop] = await turns.list();
    expect(Math.abs(loop!.dueAt!.getTime() - ended - 300_000)).toBeLessThan(60_000);
    // Hours of missed times are one look.
    await turns.makeDue();
    const [item, ...more] = await turns.untilWork(1);
    expect(more).toEqual([]);
    expect(item).toMatchObject({ reason: 'schedule_due', prompt: 'check  the build', work_id: `wrk_${loop!.id}_2` });
    await turns.begin('trn_2', { origin: 'schedule', workId: String(item!['work_id']), line: '' });
    await turns.end('trn_2', { workId: String(item!['work_id']) });
    await turns.makeDue();
    await turns.untilFired(2);
    // What has become a turn is kept nowhere a second time.
    expect(await bed.work(talk)).toMatchObject([{ work_id: `wrk_${loop!.id}_3` }]);
    const events = (await bed.trail(talk)).filter(({ type }) => type.startsWith('agent.schedule'));
    expect(events.map(({ type, data }) => [type.split('.').at(-1), data['fires']])).toEqual([
      ['started', undefined],
      ['fired', 2],
      ['fired', 3],
    ]);
    expect(JSON.stringify(events)).not.toContain('build');
  });

  it('takes no pace from its turns: schedule_next is not offered in them, nor between turns, nor in one the platform began [schedules.offered]', async () => {
    const { turns } = await open();
    const look = { delay_seconds: 60, noop: true };
    const unoffered = { isError: true, text: expect.stringContaining('not offered here') };
    expect(await turns.call('schedule_next', look)).toEqual(unoffered);
    await turns.begin('trn_1', { command: 'loop', everySeconds: 60 });
    expect(await turns.call('schedule_next', look)).toEqual(unoffered);
    await turns.end('trn_1');
    expect(await turns.call('schedule_next', look)).toEqual(unoffered);
    await turns.begin('trn_2', { origin: 'other', line: '' });
    expect(await turns.call('schedule_next', look)).toEqual(unoffered);
    expect(await turns.call('watch_file', { path: 'a.txt' })).toEqual(unoffered);
  });

  it('is one at a time, and stops by a line of the person', async () => {
    const { turns } = await open();
    expect(await turns.begin('trn_0', { command: 'stop_loop' })).toBe('No loop runs in this conversation.');
    await turns.begin('trn_1', { command: 'loop', everySeconds: 60 });
    await turns.end('trn_1');
    expect(await turns.begin('trn_2', { command: 'goal' })).toMatch(/^Nothing was begun. A loop runs/);
    expect(await turns.begin('trn_3', { command: 'stop_goal' })).toBe('No goal runs in this conversation.');
    expect(await turns.begin('trn_4', { command: 'stop_loop' })).toBe('The loop has ended. You stopped it.');
    expect(await turns.begin('trn_5', { command: 'goal', line: 'x'.repeat(MAX_LINE_BYTES + 1) })).toMatch(
      /^Nothing was/,
    );
    expect(await turns.list()).toMatchObject([{ kind: 'loop', endReason: 'person' }]);
  });
});

describe('a loop that sets its own pace', () => {
  it('is begun by schedule_next over the line of the turn; the wait is held between a minute and an hour, and quiet looks are counted [schedules.pace]', async () => {
    const { talk, turns } = await open();
    await turns.begin('trn_1', { line: 'tell me when it is done' });
    const first = await turns.call('schedule_next', { delay_seconds: 1, noop: true, reason: 'it runs' });
    expect(first).toEqual({
      isError: false,
      text: expect.stringMatching(/begun. It is asked again 60 seconds .* You asked for 1;/),
    });
    const second = await turns.call('schedule_next', { delay_seconds: 5_000, noop: true });
    expect(second.text).toContain('asked again 3600 seconds');
    await turns.end('trn_1');
    await turns.makeDue();
    const [item] = await turns.untilWork(1);
    expect(item).toMatchObject({ prompt: 'tell me when it is done' });
    const work = { origin: 'schedule', workId: String(item!['work_id']), line: '' };
    await turns.begin('trn_2', work);
    expect((await turns.call('schedule_next', { delay_seconds: 120, noop: true })).text).toContain('120 seconds');
    await turns.end('trn_2', { workId: work.workId });
    expect(await turns.list()).toMatchObject([{ fires: 2, quiet: 1 }]);
    expect((await bed.trail(talk)).find(({ type }) => type === 'agent.schedule.started')).toMatchObject({
      actor: expect.stringMatching(/^bravo:/),
      data: { source: 'agent', kind: 'loop', every_seconds: 0 },
    });
  });

  it('that says nothing is woken once after twenty minutes, then ends', async () => {
    const { turns } = await open();
    await turns.begin('trn_1', { command: 'loop' });
    const ended = Date.now();
    await turns.end('trn_1');
    expect(Math.abs((await turns.list())[0]!.dueAt!.getTime() - ended - 1_200_000)).toBeLessThan(60_000);
    await turns.makeDue();
    const workId = String((await turns.untilWork(1))[0]!['work_id']);
    await turns.begin('trn_2', { origin: 'schedule', workId, line: '' });
    await turns.end('trn_2', { workId });
    expect(await turns.list()).toMatchObject([{ status: 'ended', endReason: 'silent' }]);
  });

  it('is refused a call without the delay or the verdict', async () => {
    const { turns } = await open();
    await turns.begin('trn_1');
    for (const given of [{ delay_seconds: 60 }, { noop: true }])
      expect(await turns.call('schedule_next', given)).toMatchObject({ isError: true });
    expect(await turns.list()).toEqual([]);
  });
});

describe('a goal', () => {
  it('is judged by an isolated call over the line and the last answer: asked again until that says MET [schedules.goal]', async () => {
    const { turns } = await open();
    await turns.begin('trn_1', { command: 'goal', line: 'all tests pass' });
    expect(await turns.end('trn_1')).toBe(true);
    expect(await turns.end('trn_1', { answer: 'two fail' })).toBe(false);
    const inputs = (bed.models.asked[0]?.inputs ?? []).map(({ name, content }) => [name, content]);
    expect(inputs).toEqual([
      ['goal', 'all tests pass'],
      ['answer', 'two fail'],
    ]);
    const workId = String((await turns.untilWork(1))[0]!['work_id']);
    await turns.begin('trn_2', { origin: 'schedule', workId, line: '' });
    bed.models.answer = () => 'MET\nthey pass';
    await turns.end('trn_2', { workId, answer: 'all pass' });
    expect(await turns.list()).toMatchObject([{ status: 'ended', endReason: 'met', fires: 2 }]);
  });

  it('ends where it cannot be met, and after ten rounds; a word that is none of the three is no verdict [schedules.goal]', async () => {
    const { turns } = await open();
    bed.models.answer = () => 'IMPOSSIBLE';
    await turns.begin('trn_1', { command: 'goal' });
    await turns.end('trn_1', { answer: 'no' });
    expect(await turns.list()).toMatchObject([{ endReason: 'impossible' }]);
    bed.models.answer = () => 'It is MET';
    await turns.begin('trn_2', { command: 'goal' });
    await bed.database.schedule.updateMany({ where: { tick: 'trn_2' }, data: { fires: 9 } });
    await turns.end('trn_2', { answer: 'yes' });
    const workId = String((await turns.untilWork(1))[0]!['work_id']);
    expect(workId).toMatch(/_10$/);
    await turns.begin('trn_3', { origin: 'schedule', workId, line: '' });
    await turns.end('trn_3', { workId, answer: 'yes' });
    expect(await turns.list()).toEqual(expect.arrayContaining([expect.objectContaining({ endReason: 'rounds' })]));
  });

  it('is judged by nobody once the agent was shown untrusted text [schedules.unjudged]', async () => {
    const { talk, turns } = await open();
    bed.models.answer = () => 'MET';
    await turns.begin('trn_1', { command: 'goal' });
    await bed.database.conversation.update({ where: { id: talk.conversationId }, data: { integrity: 'untrusted' } });
    await turns.end('trn_1', { answer: 'steered' });
    expect(await turns.list()).toMatchObject([{ endReason: 'unjudged' }]);
    expect(bed.models.asked).toEqual([]);
  });
});

describe('what ends a loop, and is said in its conversation [schedules.ends]', () => {
  const loop = async () => {
    const opened = await open();
    await opened.turns.begin('trn_1', { command: 'loop', everySeconds: 5 });
    return opened;
  };
  const noticesOf = async (talk: Awaited<ReturnType<typeof open>>['talk']) =>
    (await bed.stream(talk)).filter(({ event }) => event === 'notice').map(({ data }) => String(data['text']));

  it('a person who left, lost the permission or the feature: nothing is asked again', async () => {
    for (const [reason, change] of [
      ['left', (userId: string) => void bed.identity.roles.set(userId, 'left')],
      ['permission', (userId: string) => void bed.identity.roles.set(userId, 'none')],
      ['feature', () => void (bed.identity.config.enabled = false)],
    ] as const) {
      const { talk, turns } = await loop();
      await turns.end('trn_1');
      change(talk.userId);
      // A broker remembers for a second at most what is switched on.
      const gateway = await bed.as('gateway');
      const asked = { conversationId: talk.conversationId, tool: 'list_files', inputJson: '{}' };
      await waitUntil('the change to be seen', async () => {
        const { step } = await gateway.explainCall(asked, bed.person(talk)).catch(() => ({ step: 'left' }));
        return ['left', 'own_permission', 'feature_gate'].includes(step);
      });
      gateway.close();
      await turns.makeDue();
      await turns.untilEnded(reason);
      bed.identity.config.enabled = true;
      expect(await bed.work(talk)).toEqual([]);
      expect(await noticesOf(talk)).toEqual([
        expect.stringMatching(/^A loop began/),
        expect.stringMatching(/^The loop has ended\./),
      ]);
    }
  });

  it('a turn the person stopped, a budget that is used up, three failures, a dropped turn, and its age', async () => {
    const stopped = await loop();
    await stopped.turns.end('trn_1', { status: 'cancelled' });
    expect(await stopped.turns.list()).toMatchObject([{ endReason: 'turn_stopped' }]);

    const broke = await loop();
    bed.models.budgetGone = true;
    await broke.turns.end('trn_1', { status: 'failed', errorCode: 'model_failed' });
    expect(await broke.turns.list()).toMatchObject([{ endReason: 'budget' }]);
    bed.models.budgetGone = false;

    const failing = await loop();
    await failing.turns.end('trn_1', { status: 'failed' });
    expect(await failing.turns.list()).toMatchObject([{ status: 'live' }]);
    await bed.database.schedule.updateMany({
      where: { conversationId: failing.talk.conversationId },
      data: { failures: 2, tick: 'trn_2', dueAt: null },
    });
    await failing.turns.end('trn_2', { status: 'interrupted' });
    expect(await failing.turns.list()).toMatchObject([{ endReason: 'failed' }]);

    const dropped = await loop();
    await dropped.turns.end('trn_1');
    await dropped.turns.makeDue();
    const workId = String((await dropped.turns.untilWork(1))[0]!['work_id']);
    await dropped.turns.end('', { workId, status: 'dropped', errorCode: 'agent_disabled' });
    expect(await dropped.turns.list()).toMatchObject([{ endReason: 'feature' }]);

    const old = await loop();
    await old.turns.end('trn_1');
    await bed.database
      .$executeRaw`UPDATE "broker"."schedule" SET "expires_at" = now() WHERE "conversation_id" = ${old.talk.conversationId}`;
    await old.turns.makeDue();
    await old.turns.untilEnded('age');
    expect(await bed.work(old.talk)).toEqual([]);
  });

  it('its person, also when its work is on the way: that turn is answered by the platform and no agent is asked [schedules.cancel]', async () => {
    const { talk, turns } = await loop();
    await turns.end('trn_1');
    await turns.makeDue();
    const workId = String((await turns.untilWork(1))[0]!['work_id']);
    const [{ id } = { id: '' }] = await turns.list();
    await turns.cancel(id);
    await turns.cancel(id);
    expect(await turns.begin('trn_2', { origin: 'schedule', workId, line: '' })).toBe(
      'This is not asked again. You stopped it.',
    );
    expect((await turns.call('schedule_next', { delay_seconds: 60, noop: true })).isError).toBe(true);
    const stranger = await turnsOf(bed, { ...talk, userId: (await bed.begin()).userId });
    await expect(stranger.list()).rejects.toThrow('no such conversation');
    await expect(stranger.cancel(id)).rejects.toThrow('no such conversation');
  });

  it('the end of its conversation: no line and no path is kept, and nothing fires any more', async () => {
    const { talk, turns } = await loop();
    await turns.end('trn_1');
    await (await bed.as('orchestrator')).eraseConversation({ conversationId: talk.conversationId }, bed.person(talk));
    await turns.makeDue();
    const rows = await bed.database.schedule.findMany({ where: { conversationId: talk.conversationId } });
    expect(rows).toMatchObject([{ status: 'ended', endReason: 'conversation_ended', line: '', path: '', dueAt: null }]);
  });
});
