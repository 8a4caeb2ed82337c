import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformFileSync } from '@swc/core';

const namespaces =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']).status === 0;

/** Stands in for main.js: says who it is, starts a child that ignores everything, and ends with 7 when told to stop. */
const STAND_IN = `
import { spawn } from 'node:child_process';
spawn('sh', ['-c', 'trap "" TERM; exec sleep 1000'], { stdio: 'inherit', detached: true });
process.on('SIGTERM', () => process.exit(7));
setInterval(() => {}, 1000);
console.log(process.pid);
`;

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const descendants = (pid: number): number[] => {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  const children = readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
};

(namespaces ? describe : describe.skip)('the launcher', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'bravo-launch-'));
    const { code } = transformFileSync(new URL('./launch.ts', import.meta.url).pathname, {
      swcrc: false,
      jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
      module: { type: 'es6' },
    });
    writeFileSync(join(directory, 'launch.js'), code);
    writeFileSync(join(directory, 'main.js'), STAND_IN);
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const launch = async () => {
    const launcher = spawn(process.execPath, [join(directory, 'launch.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<[number | null, string | null]>((resolve) =>
      launcher.once('exit', (code, signal) => resolve([code, signal])),
    );
    const said = await new Promise<string>((resolve) =>
      launcher.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))),
    );
    const below = descendants(launcher.pid ?? 0);
    expect(below.length).toBeGreaterThanOrEqual(4);
    return { launcher, ended, said, below };
  };

  const allGone = async (pids: readonly number[]): Promise<boolean> => {
    for (let n = 0; n < 100 && pids.some(alive); n += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    return !pids.some(alive);
  };

  it('passes a stop on and ends with the code of the runner, leaving nothing', async () => {
    const { launcher, ended, said, below } = await launch();
    expect(Number(said)).toBeLessThan(20);
    launcher.kill('SIGTERM');
    expect(await ended).toEqual([7, null]);
    expect(await allGone(below)).toBe(true);
  });

  it('takes everything with it when it is killed', async () => {
    const { launcher, ended, below } = await launch();
    launcher.kill('SIGKILL');
    await ended;
    expect(await allGone(below)).toBe(true);
  });

  it('ends when the runner is killed, with everything the runner had started', async () => {
    const { ended, below } = await launch();
    const runner = below.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(process.execPath));
    process.kill(runner ?? 0, 'SIGKILL');
    expect((await ended)[0]).toBe(137);
    expect(await allGone(below)).toBe(true);
  });
});
