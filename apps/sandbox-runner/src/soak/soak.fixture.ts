/**
 * The soak: many mixed programs with the runner and the OCI runtime killed at random, after which mounts, cgroups, processes and
 * files of the machine are what they were before. `./bravo test --soak N [--seed S]`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { instanceOf } from '../executions/oci/instance.ts';
import { tracesOf } from '../executions/oci/traces.fixture.ts';
import { soakRequest, type SoakAnswer } from './soak-programs.fixture.ts';

const [count = 100, seed = 1] = process.argv.slice(2).map(Number);
const AT_ONCE = 4;
const RUNNER_KILL = 0.02;
const RUNTIME_KILL = 0.03;

/** Reproducible: mulberry32. */
let state = seed;
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'bravo-soak-')));
const { runtimeDirectory, cgroupSubtree } = instanceOf(directory);
const WORDS = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'];
const HIDE = 'if [ -d /sys/fs/cgroup/unified ]; then umount /sys/fs/cgroup/unified || :; fi; "$@"; exit $?';

class Runner {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  readonly #waiting = new Map<number, (answer: SoakAnswer) => void>();
  readonly ready: Promise<void>;

  constructor() {
    const program = fileURLToPath(new URL('./soak-runner.fixture.ts', import.meta.url));
    const words = [...WORDS, '/bin/sh', '-c', HIDE, 'sh', process.execPath, '--conditions=source', program, directory];
    this.process = spawn('unshare', words, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.stdin?.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.process.once('close', () => resolve()));
    void this.ended.then(() => {
      for (const [id, answer] of this.#waiting) answer({ id, error: 'the runner is gone' });
    });
    this.ready = new Promise((resolve, reject) => {
      void this.ended.then(() => reject(new Error('the runner ended before it was ready')));
      if (this.process.stdout === null) return;
      createInterface({ input: this.process.stdout }).on('line', (line) => {
        const said = JSON.parse(line) as SoakAnswer & { ready?: boolean; starts?: object };
        if (said.ready === true) resolve();
        else if (said.starts !== undefined) process.stdout.write(`starts ${JSON.stringify(said.starts)}\n`);
        else this.#waiting.get(said.id)?.(said);
      });
    });
  }

  ask(request: { readonly id: number }): Promise<SoakAnswer> {
    return new Promise((resolve) => {
      this.#waiting.set(request.id, (answer) => {
        this.#waiting.delete(request.id);
        resolve(answer);
      });
      if (this.process.exitCode === null && this.process.signalCode === null)
        this.process.stdin?.write(`${JSON.stringify(request)}\n`);
      else resolve({ id: request.id, error: 'the runner is gone' });
    });
  }

  /** `unshare --kill-child` takes the namespace, and with it everything, along. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}

const runtimes = async (): Promise<number[]> =>
  (await tracesOf(directory)).pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('crun\0');
    } catch {
      return false;
    }
  });

/** What else of the machine could have grown. */
const machine = () => ({
  mounts: readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(runtimeDirectory)).length,
  groups: ['', 'memory', 'cpu', 'pids', 'devices'].filter((name) =>
    existsSync(join('/sys/fs/cgroup', name, cgroupSubtree)),
  ).length,
  runtimeDirectory: existsSync(runtimeDirectory),
  state: readdirSync(directory).length,
});

const before = { ...machine(), ...(await tracesOf(directory)) };
let runner = new Runner();
await runner.ready;
const wrong: string[] = [];
const tally = { runs: 0, asExpected: 0, cutByKill: 0, runnerKills: 0, runtimeKills: 0 };
/** Programs that a kill may have hit: whatever ran when one happened. */
let killsSoFar = 0;
let lastKillAt = 0;
/** An interpreter whose runtime was killed may be handed out before its runner has heard of it; its end is then unknown, as it should be. */
const HEARD_WITHIN_MS = 2_000;
let replacing: Promise<void> | undefined;

const replaceRunner = async (): Promise<void> => {
  tally.runnerKills += 1;
  await runner.kill();
  const next = new Runner();
  await next.ready;
  runner = next;
};

const one = async (id: number): Promise<void> => {
  await replacing;
  const { request, kind } = soakRequest(id, random());
  const killsBefore = killsSoFar;
  const justKilled = Date.now() - lastKillAt < HEARD_WITHIN_MS;
  const running = runner.ask(request);
  const dice = random();
  if (dice < RUNNER_KILL) {
    await delay(random() * 120);
    // Another may have begun to replace it meanwhile, and one directory has one runner.
    if (replacing === undefined) {
      killsSoFar += 1;
      lastKillAt = Date.now();
      replacing = replaceRunner().finally(() => (replacing = undefined));
    }
  } else if (dice < RUNNER_KILL + RUNTIME_KILL) {
    await delay(random() * 60);
    const victims = await runtimes();
    const victim = victims[Math.floor(random() * victims.length)];
    if (victim !== undefined) {
      killsSoFar += 1;
      lastKillAt = Date.now();
      tally.runtimeKills += 1;
      try {
        process.kill(victim, 'SIGKILL');
      } catch {
        // It had ended by itself.
      }
    }
  }
  const answer = await running;
  tally.runs += 1;
  const fits =
    kind.outcomes.includes(answer.outcome ?? '') &&
    (kind.stdout === undefined || kind.stdout === answer.stdout) &&
    (kind.files === undefined || kind.files === answer.files);
  if (fits) tally.asExpected += 1;
  else if (killsSoFar > killsBefore || (justKilled && answer.error !== undefined)) tally.cutByKill += 1;
  else wrong.push(`${kind.language} ${JSON.stringify(kind.code)}: ${JSON.stringify(answer)}`);
};

let next = 0;
const work = async (): Promise<void> => {
  while (next < count) {
    next += 1;
    await one(next);
    if (next % 100 === 0) process.stdout.write(`${next} ${JSON.stringify(tally)}\n`);
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
await replacing;
runner.process.stdin?.end();
await runner.ended;
const after = { ...machine(), ...(await tracesOf(directory)) };
rmSync(directory, { recursive: true, force: true });
if (JSON.stringify(after) !== JSON.stringify(before)) wrong.push(`left behind: ${JSON.stringify({ before, after })}`);
process.stdout.write(`${JSON.stringify(tally)}\nbefore ${JSON.stringify(before)}\nafter  ${JSON.stringify(after)}\n`);
for (const each of wrong.slice(0, 20)) process.stdout.write(`WRONG ${each}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
