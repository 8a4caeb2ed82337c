import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { runIn, type Collected } from '../run-in.fixture.ts';
import type { Language, Program } from '../sandbox-backend.port.ts';
import { obstacleHere } from './obstacle.fixture.ts';
import { OciSandbox } from './oci-sandbox.ts';
import { settingsHere } from './settings-here.fixture.ts';
import { tracesOf } from './traces.fixture.ts';
import { maybeWarm } from './waiting-interpreters.ts';

const limits = { timeoutSeconds: 10, memoryMb: 256, cpu: 1 };
const PROGRAM: Program = { language: 'python', code: 'pass', files: [], env: {}, limits };
const file = (path: string, content = '') => ({ path, content: Buffer.from(content), mode: 0o644 });

describe('a waiting interpreter is used only where it makes no difference [sandbox.single-use]', () => {
  it.each<[string, Partial<Program>, boolean]>([
    ['a plain program', {}, true],
    ['less memory', { limits: { ...limits, memoryMb: 64 } }, true],
    ['more memory', { limits: { ...limits, memoryMb: 512 } }, false],
    ['variables', { env: { PYTHONPATH: '/x' } }, false],
    ['a file where its script would be', { files: [file('main.py')] }, false],
    ['another encoding', { code: '#!x\n# -*- coding: latin-1 -*-\n' }, false],
    ['the usual encoding', { code: '# coding: utf-8\n' }, true],
    ['less memory, which node is told at its start', { language: 'node', limits: { ...limits, memoryMb: 64 } }, false],
    ['a package.json, which node reads before its script', { language: 'node', files: [file('package.json')] }, false],
  ])('%s', (_, more, expected) => {
    expect(maybeWarm({ ...PROGRAM, ...more }, limits)).toBe(expected);
  });
});

const runtimes = (['crun', 'runc'] as const).filter((name) => spawnSync(name, ['--version']).status === 0);
const reason = obstacleHere();
(reason === '' ? describe : describe.skip)('waiting interpreters [sandbox.single-use]', () => {
  let directory: string;
  let warm: OciSandbox;
  let cold: OciSandbox;
  const troubles: unknown[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
    const coldDirectory = mkdtempSync(join(directory, 'cold-'));
    const onTrouble = (error: unknown) => troubles.push(error);
    warm = new OciSandbox(settingsHere(directory, { spare: 1, warm: { python: 1, node: 1, bash: 1 }, onTrouble }));
    cold = new OciSandbox(settingsHere(coldDirectory));
    await warm.settled();
  });
  afterAll(async () => {
    await Promise.all([warm.close(), cold.close()]);
    expect(await tracesOf(directory)).toEqual({ mounts: 0, runs: 0, containers: 0, groups: 0, processes: 0 });
    rmSync(directory, { recursive: true });
    expect(troubles).toEqual([]);
  });

  const waitingFor = async (language: Language) =>
    (await warm.waiting()).find(({ what }) => what === language)?.count ?? 0;

  /** Only what may differ between two runs of one program is left out. */
  const comparable = ({ durationMs: _, ...rest }: Collected) => ({
    ...rest,
    files: rest.files.map(({ path, mode, content }) => [path, mode, Buffer.from(content).toString()]),
  });

  it.each<[string, Partial<Program>]>([
    [
      'what a Python program sees of itself',
      {
        language: 'python',
        code: 'import sys, os, json\nprint(json.dumps([sys.argv, sys.path[0], __file__, __name__, sorted(globals()), os.getcwd(), sorted(os.environ), sys.flags.unbuffered, sys.stdin.read(), os.isatty(0), os.listdir(), open(__file__).read()[:6], os.stat(__file__).st_mode, sorted(os.listdir("/proc/self/fd")), oct(os.umask(0))]))',
      },
    ],
    [
      'an error of a Python program',
      { language: 'python', code: 'def f():\n  raise ValueError("ä")\n\nf()  # here\n' },
    ],
    ['a syntax error of Python', { language: 'python', code: 'x = = 1' }],
    [
      'files in and out, and processes of Python',
      {
        language: 'python',
        code: "import multiprocessing, helper\ndef twice(x): return 2 * x\nif __name__ == '__main__':\n  with multiprocessing.get_context('spawn').Pool(1) as p: print(p.map(twice, [1, 2]), helper.value)\n  open('d/new', 'w').write('n'); open('d/old', 'w').write('changed')",
        files: [file('helper.py', 'value = 7'), file('d/old', 'old')],
      },
    ],
    ['a long Python program', { language: 'python', code: `x = [\n${'1,\n'.repeat(100_000)}]\nprint(sum(x))` }],
    ['exit codes', { language: 'python', code: 'import sys; sys.exit(9)' }],
    [
      'what a Node program sees of itself',
      {
        language: 'node',
        code: "const fs = require('fs'); console.log(JSON.stringify([process.argv, __filename, process.cwd(), require.main === module, Object.keys(process.env).sort(), process.execArgv, fs.readdirSync('.'), fs.statSync(__filename).mode, fs.readFileSync(0, 'utf8'), fs.readdirSync('/proc/self/fd').length])); module.exports = 1",
      },
    ],
    ['an error of a Node program', { language: 'node', code: 'function f() {\n  throw new Error("no");\n}\nf();' }],
    ['modules of Node', { language: 'node', code: "import fs from 'node:fs'; console.log(import.meta.url, await 1)" }],
    [
      'files required by Node',
      { language: 'node', code: "console.log(require('./lib.js'))", files: [file('lib.js', 'module.exports = 5')] },
    ],
    [
      'what a Bash program sees of itself',
      {
        code: 'echo "$0 $# $SHLVL $PWD $BASH_SOURCE $- $$ ${BASH_LINENO[*]}"; ls -la | wc -l; cat; env | grep -v ^_= | sort; ls /proc/self/fd | wc -l; type exec; trap; ulimit -n; umask',
      },
    ],
    ['an error of a Bash program', { code: 'set -eu\necho start\necho "$nothing"\n' }],
    ['Bash that reads its own lines', { code: 'read -r line < "$0"; echo "$line"; exit 4' }],
  ])('give the same answer as one that starts for the program: %s', async (_, program) => {
    await warm.settled();
    const before = warm.starts;
    const [ofWarm, ofCold] = [await runIn(warm, program), await runIn(cold, program)];
    expect(warm.starts).toEqual({ ...before, warm: before.warm + 1 });
    expect(comparable(ofWarm)).toEqual(comparable(ofCold));
  });

  it('serve one program only, and the next starts cold or finds another', async () => {
    await warm.settled();
    const code =
      'touch /tmp/mine /dev/shm/mine; ls /tmp; cut -d" " -f1-2 /proc/self/uid_map; awk \'{print $22}\' /proc/1/stat';
    const results = await Promise.all(Array.from({ length: 6 }, () => runIn(warm, { code })));
    expect(results.map(({ outcome, exitCode }) => [outcome, exitCode])).toEqual(Array(6).fill(['ok', 0]));
    for (const { stdout } of results) expect(stdout.startsWith('mine\n')).toBe(true);
  });

  it('are held to the limits of the program, not to those they waited with', async () => {
    await warm.settled();
    const oom = await runIn(warm, {
      language: 'python',
      code: "x = b'a' * (100 * 1024 * 1024)",
      limits: { memoryMb: 64 },
    });
    expect(oom).toMatchObject({ outcome: 'oom_killed', oomKilled: true, exitCode: 137 });
    expect(await runIn(warm, { code: 'sleep 30', limits: { timeoutSeconds: 1 } })).toMatchObject({
      outcome: 'timed_out',
    });
  });

  it('are gone and not missed when they die while they wait', async () => {
    await warm.settled();
    for (const pid of (await tracesOf(directory)).pids) process.kill(pid, 'SIGKILL');
    await waitUntil('their end', async () => (await tracesOf(directory)).processes === 0);
    expect(await runIn(warm, { language: 'python', code: 'print(1)' })).toMatchObject({ outcome: 'ok', stdout: '1\n' });
    expect(await runIn(warm, { code: 'echo 2' })).toMatchObject({ outcome: 'ok', stdout: '2\n' });
    await warm.settled();
    expect(await waitingFor('python')).toBe(1);
  });

  it('count in their own cgroups, and what all of them take is known', async () => {
    await warm.settled();
    const waiting = await warm.waiting();
    expect(waiting.map(({ what, count }) => [what, count]).sort()).toEqual([
      ['bash', 1],
      ['cell', 1],
      ['node', 1],
      ['python', 1],
    ]);
    for (const { bytes } of waiting) expect(bytes).toBeLessThan(64 * 1024 * 1024);
  });

  it.each(runtimes)('end by themselves when their runner of %s is killed (probe 62)', async (runtime) => {
    const place = mkdtempSync(join(directory, 'killed-'));
    const runner = spawn(
      process.execPath,
      [
        '--conditions=source',
        fileURLToPath(new URL('./run-forever.fixture.ts', import.meta.url)),
        place,
        runtime,
        'waiting',
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await new Promise<void>((resolve) => runner.stdout.once('data', () => resolve()));
    expect((await tracesOf(place)).processes).toBeGreaterThan(2);
    runner.kill('SIGKILL');
    await waitUntil('their end', async () => (await tracesOf(place)).processes === 0);
    const next = new OciSandbox(settingsHere(place, { runtime }));
    await next.describe();
    await next.close();
    expect((await tracesOf(place)).mounts).toBe(0);
  });
});
