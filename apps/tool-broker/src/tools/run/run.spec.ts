/** Command lines through the whole broker: what is asked, what is shown, what runs, and what the planner is given of it. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { type Talk, useBroker } from '../../broker.fixture.ts';
import { newSandboxState } from '../../peers.fixture.ts';
import { questionsOf } from '../../questions.fixture.ts';
import { openClient, type RawClient } from '../../raw-mcp-client.fixture.ts';

const bed = useBroker();
const { answer, pendingOf, rowsOf } = questionsOf(bed);

afterEach(() => {
  const fresh = newSandboxState();
  Object.assign(bed.sandbox, { readJob: fresh.readJob, whileRunning: fresh.whileRunning });
});

/** Files as a person's own words made them: vouched for. */
const write = async (talk: Talk, client: RawClient, path: string, contents: string): Promise<void> => {
  const held = client.call('write_file', { path, contents });
  await answer(talk, 'approve');
  expect(await held).toMatchObject({ isError: false });
};

const jobsOf = ({ conversationId }: Talk) =>
  [...bed.sandbox.jobs.values()].filter((job) => job.conversationId === conversationId);

const seen = async (talk: Talk) => {
  const gateway = await bed.as('gateway');
  try {
    return (await gateway.listToolCalls({ conversationId: talk.conversationId }, bed.person(talk))).toolCalls;
  } finally {
    gateway.close();
  }
};

describe('run', () => {
  it('asks with the compiled plan, carries out exactly that, and gives exit codes and references [run.plan-approved]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    await write(talk, client, 'words.txt', 'b\na\n');
    bed.sandbox.readJob = () => ({ stdout: 'secret words\n', changed: ['out.txt'] });
    const held = client.call('run', { command: "sort words.txt | head -n 1 > 'out.txt'", why: 'you asked' });
    const { asks } = await pendingOf(talk);
    expect((JSON.parse(asks) as { code: string }[]).map(({ code }) => code)).toEqual([
      'program_writes_file',
      'default_gate',
      'write_new_path',
    ]);
    const [, waiting] = await seen(talk);
    const plan = {
      steps: [
        { argv: ['sort', 'words.txt'], program: '/usr/bin/sort', env: {}, redirects: [] },
        { argv: ['head', '-n', '1'], program: '/usr/bin/head', env: {}, redirects: [{ op: '>', path: 'out.txt' }] },
      ],
      connectors: ['|'],
    };
    expect(JSON.parse(waiting?.planJson ?? '')).toEqual(plan);
    await answer(talk, 'approve');
    const { text, isError } = await held;
    expect(isError).toBe(false);
    expect(text).toBe(
      'All 2 steps exited with 0.\nIt changed 1 path; nobody vouches for what is there now.\n' +
        'ref:1 - standard output of the line - text, 1 line, 13 bytes - untrusted, private\n' +
        'You cannot read what is behind a reference; the person sees it.',
    );
    expect(jobsOf(talk)).toMatchObject([{ plan, directory: '', background: false }]);
    const ended = (await seen(talk))[1];
    expect(JSON.parse(ended?.stepsJson ?? '')).toMatchObject([{ ran: true, exit_code: 0 }, { exit_code: 0 }]);
    const shown = (await bed.stream(talk)).filter(({ data }) => 'plan' in data || 'steps' in data);
    expect(shown.map(({ event }) => event)).toEqual(['tool_call_start', 'needs_approval', 'tool_call_end']);
    expect((await bed.trail(talk)).filter(({ type }) => type === 'agent.code.executed')).toMatchObject([
      { data: { language: 'line', exit_code: 0, files: 1 } },
    ]);
  });

  it.each([
    ['echo $(date)', 'CommandSubstitution'],
    ['cat a; rm `x`', 'CommandSubstitution'],
    ['for x in a; do cat x; done', 'ControlFlow'],
    ['no-such-program x', 'NotFound'],
    ['./not-there.sh', 'NotFound'],
    ['cat *.none', 'NoMatch'],
    ['cat ~/x', 'NoHome'],
    ['cat a\nrm b', 'Syntax'],
    ['cat < missing.txt', 'NotFound'],
    ['cat > ../x', 'NotOnePath'],
  ])('refuses %j by its code before anybody is asked, and puts that on record', async (command, code) => {
    const talk = await bed.begin();
    const { text, isError } = await (await openClient(bed, talk)).call('run', { command });
    expect({ isError, code: text.includes(`${code}:`), short: text.length < 500 }).toEqual({
      isError: true,
      code: true,
      short: true,
    });
    expect(await rowsOf(talk)).toEqual([]);
    expect(jobsOf(talk)).toEqual([]);
    expect(await seen(talk)).toMatchObject([{ tool: 'run', status: 'refused' }]);
  });

  it('lets a line that only reads what is vouched for run unasked, and gives its output as text [run.proven-reads]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    await write(talk, client, 'mine.txt', 'one\n');
    bed.sandbox.readJob = () => ({ stdout: '1 mine.txt\n' });
    const { text } = await client.call('run', { command: 'wc -l mine.txt' });
    expect(text).toBe('Step 1 exited with 0.\nstandard output of the line:\n1 mine.txt\n');
    bed.sandbox.files.set(`${talk.conversationId}/theirs.txt`, Buffer.from('x'));
    const { text: quarantined } = await client.call('run', { command: 'wc -l theirs.txt mine.txt' });
    expect(quarantined).toContain('ref:1 - standard output of the line');
    expect(quarantined).not.toContain('mine.txt');
    expect((await rowsOf(talk)).length).toBe(1);
  });

  it('gives a proven line’s output as text only if what it read was the same to its end [run.proven-reads]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    await write(talk, client, 'mine.txt', 'one\n');
    bed.sandbox.whileRunning = async () =>
      void bed.sandbox.files.set(`${talk.conversationId}/mine.txt`, Buffer.from('swapped'));
    bed.sandbox.readJob = () => ({ stdout: 'swapped\n' });
    const { text } = await client.call('run', { command: 'head mine.txt' });
    expect(text).toContain('ref:1');
    expect(text).not.toContain('swapped');
  });

  it('holds rules against each step and each file: a denied read stops a proven line, an ask rule holds, an allow rule answers no write [run.rules]', async () => {
    const permissions = { deny: ['Read(secret.txt)', 'Bash(python3 *)'], ask: ['Bash(wc *)'], allow: ['Bash(cat *)'] };
    const talk = await bed.begin('coworker', { user: { permissions } });
    const client = await openClient(bed, talk);
    await write(talk, client, 'mine.txt', 'one\n');
    for (const command of ['head secret.txt', 'cat mine.txt | python3 x', 'cat < secret.txt > mine.txt']) {
      bed.sandbox.files.set(`${talk.conversationId}/secret.txt`, Buffer.from('x'));
      expect(await client.call('run', { command })).toMatchObject({ isError: true });
    }
    expect((await client.call('run', { command: 'cat mine.txt' })).isError).toBe(false);
    for (const [command, code] of [
      ['wc mine.txt', 'ask_rule'],
      ['cat mine.txt > new.txt', 'program_writes_file'],
      ['A=1 cat mine.txt', 'environment_assignment'],
      ['cat < mine.txt', 'private_input_to_run'],
    ] as const) {
      const held = client.call('run', { command });
      const { asks } = await pendingOf(talk);
      expect([command, asks.includes(code)]).toEqual([command, true]);
      await answer(talk, 'deny');
      await held;
    }
  });

  it('matches no pattern with a file that may not be read: it is neither named nor read [run.rules]', async () => {
    const talk = await bed.begin('coworker', { user: { permissions: { deny: ['Read(secret*)', 'Read(vault/**)'] } } });
    const client = await openClient(bed, talk);
    for (const path of ['secret.txt', 'vault/inner.txt', 'open.txt'])
      bed.sandbox.files.set(`${talk.conversationId}/${path}`, Buffer.from('x'));
    const held = client.call('run', { command: 'python3 *.txt' });
    await pendingOf(talk);
    const [waiting] = await seen(talk);
    expect(JSON.parse(waiting?.planJson ?? '')).toMatchObject({ steps: [{ argv: ['python3', 'open.txt'] }] });
    await answer(talk, 'deny');
    await held;
    for (const command of ['head secret.*', 'head vault/*', 'head s*.txt'])
      expect((await client.call('run', { command })).text).toContain('NoMatch:');
  });

  it('feeds a reference to the first program without the planner’s seeing it, each time with a yes [run.stdin-ref]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    bed.sandbox.files.set(`${talk.conversationId}/theirs.txt`, Buffer.from('hidden bytes'));
    expect((await client.call('read_file', { path: 'theirs.txt' })).text).toContain('ref:1');
    const held = client.call('run', { command: 'wc -c', stdin_ref: 'ref:1' });
    const { asks, trustOutputOffered } = await pendingOf(talk);
    expect(asks).toContain('private_input_to_run');
    expect(trustOutputOffered).toBe(false);
    await answer(talk, 'approve');
    await held;
    expect(jobsOf(talk).map(({ stdin }) => String(stdin))).toEqual(['hidden bytes']);
    const unknown = await client.call('run', { command: 'wc -c', stdin_ref: 'ref:99' });
    expect(unknown).toMatchObject({ isError: true });
  });

  it('is not carried out when a file it names has changed since', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    await write(talk, client, 'x.py', 'print(1)');
    const held = client.call('run', { command: 'python3 x.py' });
    await pendingOf(talk);
    bed.sandbox.files.set(`${talk.conversationId}/x.py`, Buffer.from('print(2)'));
    await answer(talk, 'approve');
    expect(await held).toMatchObject({ isError: true });
    expect(jobsOf(talk)).toEqual([]);
  });
});

describe('while a plan runs', () => {
  it('no file is vouched for; afterwards all but what it changed is again [run.no-trust-meanwhile]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    await write(talk, client, 'a.txt', 'kept\n');
    await write(talk, client, 'b.txt', 'changed\n');
    let running = true;
    bed.sandbox.readJob = ({ background }) =>
      background && running
        ? { ended: false, outcome: '' }
        : { stdout: 'kept\n', changed: background ? ['b.txt'] : [] };
    const held = client.call('run', { command: 'python3 serve.py', background: true });
    await answer(talk, 'approve');
    expect((await held).text).toContain('job:1');
    for (const path of ['a.txt', 'b.txt']) expect((await client.call('read_file', { path })).text).toContain('ref:');
    expect((await client.call('run', { command: 'head a.txt' })).text).not.toContain('kept');
    running = false;
    await waitUntil('the job to be settled', async () =>
      (await bed.database.job.findMany({ where: { conversationId: talk.conversationId } })).every(
        ({ status }) => status === 'ended',
      ),
    );
    expect((await client.call('read_file', { path: 'a.txt' })).text).toContain('kept');
    expect((await client.call('read_file', { path: 'b.txt' })).text).toContain('ref:');
  });
});

describe('job_output', () => {
  const begin = async (): Promise<{ talk: Talk; client: RawClient }> => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('run', { command: 'python3 serve.py | cat', background: true });
    await answer(talk, 'approve');
    expect((await held).text).toContain('job:1');
    return { talk, client };
  };

  it('tells each byte once and the end once, by whichever way was first [run.job-told-once]', async () => {
    let stdout = 'ready\n';
    let ended = false;
    bed.sandbox.readJob = () => (ended ? { stdout } : { stdout, ended: false, outcome: '', steps: [] });
    const { talk, client } = await begin();
    const first = await client.call('job_output', { job: 'job:1' });
    expect(first.text).toContain(
      'job:1 is still running.\nNew: 6 bytes of standard output, 0 bytes of error output.\nref:1',
    );
    expect((await client.call('job_output', { job: 'job:1' })).text).toBe(
      'job:1 is still running.\nIt has printed nothing new.',
    );
    stdout += 'bye\n';
    ended = true;
    const work = await waitUntil('a turn to be asked for', async () => (await bed.work(talk))[0]);
    expect(work).toMatchObject({ reason: 'job_ended', prompt: expect.stringContaining('All 2 steps exited with 0.') });
    const last = await client.call('job_output', { job: 'job:1', wait_seconds: 2 });
    expect(last.text).toContain('job:1 has ended.\nAll 2 steps exited with 0.\nNew: 4 bytes of standard output');
    expect(last.text).toContain('nothing is watching now');
    expect((await bed.work(talk)).length).toBe(1);
  });

  it('ends a job, and is not told again of what it has seen end', async () => {
    bed.sandbox.readJob = () => ({ ended: false, outcome: '', steps: [] });
    const { talk, client } = await begin();
    expect((await client.call('job_output', { job: 'job:1', kill: true })).text).toContain(
      'job:1 has ended.\nStep 1 exited with 0.'.slice(0, 16),
    );
    expect(await bed.work(talk)).toEqual([]);
  });

  it.each<[object, string]>([
    [{ job: 'job:7' }, 'There is no job job:7'],
    [{ job: '7' }, 'job'],
    [{ job: 'job:1', wait_seconds: 0 }, 'wait_seconds'],
    [{ job: 'job:1', wait_seconds: 601 }, 'wait_seconds'],
    [{}, 'job'],
  ])('refuses %j', async (given, words) => {
    const talk = await bed.begin();
    const { text, isError } = await (await openClient(bed, talk)).call('job_output', given);
    expect({ isError, said: text.includes(words) }).toEqual({ isError: true, said: true });
  });
});
