/** Command lines over the files of a conversation, from an agent's seat: asked with the compiled plan, carried out for real, read back, refused by code, run in the background and ended. */
import { describe, expect, it } from '@jest/globals';
import { callWithYes, questionsOf, questionWhere, wholeTrail } from '../hostile/support/person-side.ts';
import { sitDown } from '../hostile/support/sit-down.ts';
import { eventually } from './support/eventually.ts';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform({}, { recordPods: false });

describe('a command line', () => {
  it('is asked as its plan, carried out as approved, and told as references; one that only reads runs unasked [run.plan-approved] [run.proven-reads]', async () => {
    const { alice, platform } = stage;
    const seat = await sitDown(platform, 'alice');
    const at = `/bravo/conversations/${seat.conversation}`;
    expect(
      (await callWithYes(alice, seat, 'write_file', { path: 'words.txt', contents: 'wombat\nquokka\nnumbat\n' }))
        .refused,
    ).toBe(false);

    const command = 'sort words.txt | head -n 2 > sorted.txt';
    const held = seat.call('run', { command });
    const { tool_call_id } = await questionWhere(alice, seat.conversation, ({ tool }) => tool === 'run');
    const callOf = async (id: string) =>
      (
        (await alice.get(`${at}/tool-calls`)) as {
          tool_calls: { id: string; plan: unknown; steps: unknown; status: string }[];
        }
      ).tool_calls.find((call) => call.id === id);
    const asked = await callOf(tool_call_id);
    expect(asked?.plan).toMatchObject({
      steps: [
        { argv: ['sort', 'words.txt'], redirects: [] },
        { argv: ['head', '-n', '2'], redirects: [{ op: '>', path: 'sorted.txt' }] },
      ],
      connectors: ['|'],
    });
    expect((await alice.answer(seat.conversation, tool_call_id, 'approve')).status).toBe(200);
    expect((await held).out).toContain('All 2 steps exited with 0.');
    expect((await callOf(tool_call_id))?.steps).toMatchObject([
      { ran: true, exit_code: 0 },
      { ran: true, exit_code: 0 },
    ]);

    const read = await seat.call('read_file', { path: 'sorted.txt' });
    const ref = /ref:(\d+)/.exec(read.out)?.[1];
    expect(await alice.get(`${at}/slots/${ref}`)).toMatchObject({ text: 'numbat\nquokka\n' });
    expect(seat.heard.join('\n')).not.toContain('numbat\\nquokka');

    const counted = await seat.call('run', { command: 'wc -l words.txt' });
    expect(counted.out).toContain('3 words.txt');
    expect(await questionsOf(alice, seat.conversation)).toEqual([]);

    for (const [line, code] of [
      ['echo $(cat words.txt)', 'CommandSubstitution'],
      ['no-such-program words.txt', 'NotFound'],
      ['cat *.none', 'NoMatch'],
    ] as const) {
      const reply = await seat.call('run', { command: line });
      expect({ line, refused: reply.refused, code: reply.out.includes(`${code}:`) }).toEqual({
        line,
        refused: true,
        code: true,
      });
    }

    const trail = await eventually('three refusals in the trail', async () => {
      const entries = await wholeTrail(alice, seat.conversation);
      const ofRun = entries.filter(({ data }) => data['tool'] === 'run');
      return (
        ofRun.filter(({ type, data }) => type === 'agent.tool.decided' && data['effect'] === 'deny').length === 3 &&
        entries
      );
    });
    const effects = trail
      .filter(({ type, data }) => type === 'agent.tool.decided' && data['tool'] === 'run')
      .map(({ data }) => data['effect']);
    expect(effects).toEqual(['ask', 'allow', 'deny', 'deny', 'deny']);
    expect(
      trail
        .filter(({ type }) => type === 'agent.code.executed')
        .map(({ data }) => [data['language'], data['exit_code'], data['files']]),
    ).toEqual([
      ['line', 0, 1],
      ['line', 0, 0],
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/wombat|quokka/);
  });

  it('goes on in the background, is polled and ended by job_output, and no file is vouched for meanwhile [run.job-told-once] [run.no-trust-meanwhile]', async () => {
    const { alice, platform } = stage;
    const seat = await sitDown(platform, 'alice');
    await callWithYes(alice, seat, 'write_file', { path: 'mine.txt', contents: 'vouched for\n' });
    const started = await callWithYes(alice, seat, 'run', {
      command: `python3 -u -c "import time; print('ready'); time.sleep(900)"`,
      background: true,
    });
    expect(started.out).toContain('job:1');
    const first = await eventually('the first words of the job', async () => {
      const { out } = await seat.call('job_output', { job: 'job:1', wait_seconds: 5 });
      return out.includes('New: 6 bytes of standard output') && out;
    });
    expect(first).toContain('job:1 is still running.');
    expect((await seat.call('job_output', { job: 'job:1' })).out).toContain('It has printed nothing new.');
    expect((await seat.call('read_file', { path: 'mine.txt' })).out).not.toContain('vouched for');

    const ended = await seat.call('job_output', { job: 'job:1', kill: true });
    expect(ended.out).toContain('job:1 has ended.');
    expect((await seat.call('read_file', { path: 'mine.txt' })).out).toContain('vouched for');
    await eventually('the end of the job in the trail', async () =>
      (await wholeTrail(alice, seat.conversation)).some(
        ({ type, data }) => type === 'agent.code.executed' && data['language'] === 'line',
      ),
    );
  });
});
