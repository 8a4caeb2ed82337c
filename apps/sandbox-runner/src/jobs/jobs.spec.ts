/** Plans through a real runner over gRPC: what they do without any shell, what is told of them, and what is refused before anything starts. */
import type { RunJobRequest } from '@bravo/proto/sandbox';
import { describe, expect, it } from '@jest/globals';
import { obstacleHere } from '../executions/oci/obstacle.fixture.ts';
import {
  exits,
  job,
  look,
  programs,
  read,
  redirect,
  run,
  runner,
  start,
  step,
  stranger,
  subject,
  useRunner,
  write,
} from './jobs.fixture.ts';

(obstacleHere() === '' ? describe : describe.skip)('a plan', () => {
  useRunner();

  it('names its programs from inside the sandbox', () => {
    expect(programs.get('wc')).toMatch(/^\/.*\/wc$/);
    expect(programs.has('no-such-program')).toBe(false);
  });

  it('wires pipes, redirections, both chains and standard input, and tells the end of every step [sandbox.plan-without-shell]', async () => {
    const request = job([
      step('sort', { redirects: [redirect('<', 'words.txt')] }),
      '|',
      step('head -n 2', { redirects: [redirect('>', 'first.txt')] }),
      '&&',
      step('cat first.txt missing.txt', { redirects: [redirect('2>&1'), redirect('>>', 'both.txt')] }),
      '||',
      step('printenv GREETING', { env: { GREETING: '$HOME `id` ; echo no' } }),
      ';',
      step('false'),
      '&&',
      step('echo never'),
    ]);
    await write(request.conversationId, 'words.txt', 'c\na\nb\n');
    await write(request.conversationId, 'both.txt', 'before\n');
    const end = await run(request);
    expect(end).toMatchObject({ ended: true, outcome: 'ok', changesLost: false });
    expect(exits(end)).toEqual([0, 0, 1, 0, 1, undefined]);
    expect(String(end.stdout)).toContain('$HOME `id` ; echo no\n');
    expect(String(end.stdout)).toContain('missing.txt');
    expect([...end.changed].sort()).toEqual(['both.txt', 'first.txt']);
    expect(await read(request.conversationId, 'first.txt')).toBe('a\nb\n');
    expect(await read(request.conversationId, 'both.txt')).toBe('before\na\nb\n');
  }, 90_000);

  it('gives the first program its bytes, every byte, and the next pipeline none', async () => {
    const stdin = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));
    const end = await run(job([step('cat'), '|', step('wc -c'), ';', step('cat')], { stdin }));
    expect(String(end.stdout).trim()).toBe('100000');
    expect(exits(end)).toEqual([0, 0, 0]);
  }, 60_000);

  it('gives a program what its step names and no variable of ours, in no process it can see [credentials.environment]', async () => {
    process.env['BRAVO_DATABASE_URL'] = 'a-password-of-the-platform';
    try {
      const end = await run(
        job([
          step('printenv', { env: { GREETING: 'hello' } }),
          ';',
          step('cat', { argv: ['cat', '/proc/1/environ', '/proc/self/environ'] }),
        ]),
      );
      const printed = String(end.stdout) + String(end.stderr);
      expect(printed).toContain('GREETING=hello');
      expect(printed).not.toMatch(/BRAVO_|a-password-of-the-platform/);
      const known = ['GREETING', 'PATH', 'HOME', 'TMPDIR', 'LANG', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE'];
      const first = String(end.stdout).split('\0')[0]!.split('\n');
      const names = first.map((line) => line.split('=')[0]!).filter((name) => /^[A-Z_]+$/.test(name));
      expect(names.filter((name) => ![...known, 'PWD', 'OLDPWD', 'SHLVL'].includes(name))).toEqual([]);
    } finally {
      delete process.env['BRAVO_DATABASE_URL'];
    }
  }, 60_000);

  it('runs where it is told to, with each word as it is [sandbox.plan-without-shell]', async () => {
    const request = job(
      [step('pwd'), ';', step('printf', { argv: ['printf', '%s|', 'a b', '*', '$HOME', '', '-n'] })],
      {
        directory: 'deep/er',
      },
    );
    await write(request.conversationId, 'deep/er/x.txt', 'x');
    expect(String((await run(request)).stdout)).toBe('/workspace/deep/er\na b|*|$HOME||-n|');
    const nowhere = await run(job([step('pwd')], { directory: 'not/there' }));
    expect(nowhere.steps).toMatchObject([{ failure: 'directory', exitCode: 1 }]);
  }, 60_000);

  it('says of a step that is no program, or leads nowhere, that it is none, and goes on by the code', async () => {
    const end = await run(
      job([
        step('gone', { program: '/usr/bin/gone-for-good' }),
        '||',
        step('./plain', { program: '/workspace/plain.txt' }),
        '||',
        step('echo x', { redirects: [redirect('>', 'no/such/directory')] }),
        '||',
        step('echo end'),
      ]),
    );
    expect(end.steps.map(({ exitCode, failure }) => [exitCode, failure])).toEqual([
      [127, 'not_found'],
      [127, 'not_found'],
      [1, 'redirect'],
      [0, ''],
    ]);
    expect(String(end.stdout)).toBe('end\n');
  }, 60_000);

  it('follows no link on the way to a redirection, and opens nothing that is no file [sandbox.redirects-stay]', async () => {
    const { conversationId } = job([]);
    const set = job(
      [
        ...[step('ln -s /tmp/aim link'), ';', step('mkdir real'), ';', step('ln -s real linked'), ';'],
        ...[step('mkfifo pipe'), ';', step('touch /tmp/aim')],
      ],
      { conversationId },
    );
    expect(exits(await run(set))).toEqual([0, 0, 0, 0, 0]);
    for (const path of ['link', 'linked/x', 'pipe', 'real/../../tmp/x', '/workspace/link']) {
      const end = await run(job([step('echo x', { redirects: [redirect('>', path)] })], { conversationId }));
      expect([path, end.steps[0]?.failure]).toEqual([path, 'redirect']);
    }
    expect(
      await run(job([step('echo x', { redirects: [redirect('>', '/dev/null')] })], { conversationId })),
    ).toMatchObject({ steps: [{ exitCode: 0 }], changed: [] });
  }, 90_000);

  it('is contained as any program: no network, nobody else, no place in what it was given', async () => {
    const end = await run(
      job([
        ...[step('id -u'), ';', step('ls /proc/1/root/run/bravo-toolboxes'), ';', step('touch /run/mine'), ';'],
        ...[
          step('cat /sys/class/net/eth0/address'),
          ';',
          step('head -c 20 /run/plan.json'),
          ';',
          step('umount /workspace'),
        ],
      ]),
    );
    expect(exits(end).map((code) => code === 0)).toEqual([true, false, false, false, true, false]);
    expect(String(end.stdout)).toMatch(/^1000\n/);
  }, 60_000);

  it('runs once per id: asked again it is the same job, and another one under its id is refused', async () => {
    const request = job([step('tee -a once.txt')], { stdin: Buffer.from('x') });
    const first = await run(request);
    await start(request);
    expect(await look(request)).toEqual(first);
    expect(await read(request.conversationId, 'once.txt')).toBe('x');
    await expect(start({ ...request, stdin: Buffer.from('y') })).rejects.toMatchObject({ code: 'conflict' });
  }, 60_000);

  it('ends at its deadline and by a cancel, with all it had started, and keeps what was printed [sandbox.jobs-end]', async () => {
    const slow = job([step('echo early'), ';', step('sleep 100'), '|', step('sleep 100')], {
      limits: { timeoutSeconds: 1, memoryMb: 0, cpu: 0 },
    });
    const late = await run(slow);
    expect(late).toMatchObject({ outcome: 'timed_out', steps: [{ exitCode: 0 }, { ran: false }, { ran: false }] });
    expect(String(late.stdout)).toBe('early\n');
    const endless = job([step('sleep 1000')], { background: true });
    await start(endless);
    expect(await look(endless, { waitSeconds: 0 })).toMatchObject({ ended: false, outcome: '' });
    await runner.sandbox('broker').cancelExecution({ executionId: endless.jobId }, { subject: stranger });
    expect(await look(endless, { waitSeconds: 0 })).toMatchObject({ ended: false });
    await runner.sandbox('broker').cancelExecution({ executionId: endless.jobId }, { subject });
    expect(await look(endless)).toMatchObject({ ended: true, outcome: 'cancelled' });
  }, 90_000);

  it('clamps a deadline and says so; more output than may be is cut and said', async () => {
    const told = await start(job([step('true')], { limits: { timeoutSeconds: 9_999, memoryMb: 0, cpu: 0 } }));
    expect(told).toMatchObject({ limits: { timeoutSeconds: 600 } });
    expect(told.notices.join()).toContain('600');
    const loud = await run(job([step('yes')]));
    expect(loud).toMatchObject({ outcome: 'output_limit', stdoutTruncated: true });
    expect(loud.stdout.length).toBe(1024 * 1024);
  }, 90_000);

  it('in the background goes on after everybody has left, and tells each byte once by its place [sandbox.job-cursors]', async () => {
    const request = job([step('python3 tick.py')], { background: true });
    await write(
      request.conversationId,
      'tick.py',
      'import sys, time\nsys.stdout.write("one\\n")\nsys.stdin.read()\nwhile True:\n  try:\n    open("go").close(); break\n  except OSError: time.sleep(0.02)\nsys.stdout.write("two\\n")\nsys.stderr.write("oops\\n")\nopen("left.txt", "w").write("kept")\n',
    );
    await start(request);
    const first = await look(request, { untilEnd: false });
    expect([String(first.stdout), first.ended]).toEqual(['one\n', false]);
    const nothing = await look(request, { stdoutFrom: 4, untilEnd: false, waitSeconds: 1 });
    expect([nothing.stdout.length, nothing.stdoutAt, nothing.ended]).toEqual([0, 4, false]);
    await write(request.conversationId, 'go', '');
    const last = await look(request, { stdoutFrom: 4, stderrFrom: 0 });
    expect([String(last.stdout), String(last.stderr), last.outcome]).toEqual(['two\n', 'oops\n', 'ok']);
    expect(await read(request.conversationId, 'left.txt')).toBe('kept');
    expect(last.changed).toContain('left.txt');
    await expect(
      runner
        .sandbox('broker')
        .readJobOutput(
          { ...request, stdoutFrom: 0, stderrFrom: 0, waitSeconds: 0, untilEnd: false },
          { subject: stranger },
        ),
    ).rejects.toMatchObject({ code: 'not_found' });
  }, 90_000);

  it('ends with its conversation, and a conversation has so many at a time [sandbox.jobs-end]', async () => {
    const { conversationId } = job([]);
    const jobs = Array.from({ length: 3 }, () => job([step('sleep 1000')], { background: true, conversationId }));
    for (const each of jobs) await start(each);
    await expect(start(job([step('sleep 1')], { background: true, conversationId }))).rejects.toMatchObject({
      code: 'resource_exhausted',
    });
    await runner.files('broker').eraseWorkspace({ conversationId }, { subject, timeoutMs: 60_000 });
    for (const each of jobs) await expect(look(each)).rejects.toMatchObject({ code: 'not_found' });
  }, 90_000);

  it('loses what is more than a conversation may hold, and says so', async () => {
    const request = job([
      step('dd if=/dev/zero of=a bs=1M count=40'),
      ';',
      step('dd if=/dev/zero of=b bs=1M count=40'),
    ]);
    await write(request.conversationId, 'kept.txt', 'kept');
    expect(await run(request)).toMatchObject({ changesLost: true, changed: [] });
    expect(await read(request.conversationId, 'kept.txt')).toBe('kept');
    await expect(read(request.conversationId, 'a')).rejects.toMatchObject({ code: 'not_found' });
  }, 90_000);

  it.each<[string, Partial<RunJobRequest>]>([
    ['no plan', { plan: undefined }],
    ['an empty plan', { plan: { steps: [], connectors: [] } }],
    [
      'a step without a program',
      { plan: { steps: [{ argv: [], program: '', env: {}, redirects: [] }], connectors: [] } },
    ],
    [
      'a program that is no path',
      { plan: { steps: [{ argv: ['x'], program: 'x', env: {}, redirects: [] }], connectors: [] } },
    ],
    [
      'a connector too many',
      { plan: { steps: [{ argv: ['x'], program: '/x', env: {}, redirects: [] }], connectors: [';'] } },
    ],
    [
      'an unknown redirection',
      { plan: { steps: [{ argv: ['x'], program: '/x', env: {}, redirects: [redirect('<<', 'a')] }], connectors: [] } },
    ],
    [
      'a redirection to nowhere',
      { plan: { steps: [{ argv: ['x'], program: '/x', env: {}, redirects: [redirect('>')] }], connectors: [] } },
    ],
    [
      'NUL in a word',
      { plan: { steps: [{ argv: ['x', 'a\0b'], program: '/x', env: {}, redirects: [] }], connectors: [] } },
    ],
    [
      '"=" in a variable',
      { plan: { steps: [{ argv: ['x'], program: '/x', env: { 'a=b': '' }, redirects: [] }], connectors: [] } },
    ],
    ['a negative limit', { limits: { timeoutSeconds: -1, memoryMb: 0, cpu: 0 } }],
    ['too large an input', { stdin: Buffer.alloc(8 * 1024 * 1024 + 1) }],
    ['a directory outside', { directory: '../x' }],
    ['no conversation', { conversationId: '' }],
  ])('is refused before anything starts: %s', async (_, flaw) => {
    const request = job([step('true')], flaw);
    await expect(start(request)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await runner.database.execution.count({ where: { id: request.jobId } })).toBe(0);
  });

  it('is refused a look that is none', async () => {
    const request = job([step('true')]);
    await run(request);
    for (const flaw of [{ waitSeconds: -1 }, { waitSeconds: 601 }, { stdoutFrom: -1 }])
      await expect(look(request, flaw)).rejects.toMatchObject({ code: 'invalid_argument' });
  }, 60_000);
});
