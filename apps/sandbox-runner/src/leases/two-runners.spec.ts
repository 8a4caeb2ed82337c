/** Two real runners, each a process, over one store and one database: what they do to the files of one conversation at once, and when one is stopped or killed in the middle. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { bundleToolbox, type BundledToolbox } from '../workspaces/bundle-toolbox.fixture.ts';
import type { RunnerOrder } from './lease-runner.fixture.ts';

interface Answer {
  readonly id?: number;
  readonly ready?: boolean;
  readonly keeping?: boolean;
  readonly done?: boolean;
  readonly text?: string;
  readonly paths?: string[];
  readonly error?: string;
}

let base: string;
let postgres: TestPostgres;
let bundled: BundledToolbox;
let conversations = 0;

class Runner {
  readonly process: ChildProcess;
  readonly #said: Answer[] = [];
  readonly #waiting: { wanted: (answer: Answer) => boolean; take: (answer: Answer) => void }[] = [];
  #orders = 0;

  constructor(name: string, conversationId: string, ttlMs: number) {
    const state = join(base, `${conversationId}-${name}`);
    mkdirSync(state, { recursive: true });
    const place = {
      name,
      conversationId,
      ttlMs,
      state,
      databaseUrl: postgres.url('sandbox'),
      store: join(base, 'store'),
      toolbox: bundled.program,
      node: bundled.node,
    };
    const program = fileURLToPath(new URL('./lease-runner.fixture.ts', import.meta.url));
    this.process = spawn(process.execPath, ['--conditions=source', program, JSON.stringify(place)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.process.stdin?.on('error', () => undefined);
    if (this.process.stdout === null) throw new Error('no output');
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      const at = this.#waiting.findIndex(({ wanted }) => wanted(answer));
      if (at < 0) this.#said.push(answer);
      else this.#waiting.splice(at, 1)[0]?.take(answer);
    });
  }

  hear(wanted: (answer: Answer) => boolean): Promise<Answer> {
    const at = this.#said.findIndex(wanted);
    if (at >= 0) return Promise.resolve(this.#said.splice(at, 1)[0] ?? {});
    return new Promise((take) => this.#waiting.push({ wanted, take }));
  }

  ask(order: Omit<RunnerOrder, 'id'>): Promise<Answer> {
    const id = (this.#orders += 1);
    this.process.stdin?.write(`${JSON.stringify({ id, ...order })}\n`);
    return this.hear((answer) => answer.id === id);
  }

  write = (path: string, text: string): Promise<Answer> => this.ask({ write: { path, text } });

  goOn(): void {
    this.process.stdin?.write('go on\n');
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGCONT');
    this.process.stdin?.end();
    await ended;
  }
}

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'bravo-two-runners-'));
  chmodSync(base, 0o711);
  postgres = await startTestPostgres({ app: 'sandbox-runner', schema: 'sandbox' });
  bundled = await bundleToolbox();
}, 120_000);
afterAll(async () => {
  await postgres.stop();
  bundled.remove();
  rmSync(base, { recursive: true, force: true });
});

describe('two runners and one conversation [workspace.one-writer]', () => {
  let runners: Runner[] = [];
  const open = async (ttlMs: number): Promise<[Runner, Runner]> => {
    const conversationId = `cnv_two${(conversations += 1)}`;
    const pair: [Runner, Runner] = [new Runner('a', conversationId, ttlMs), new Runner('b', conversationId, ttlMs)];
    runners = pair;
    for (const runner of pair) await runner.hear(({ ready }) => ready === true);
    return pair;
  };
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.end()));
  }, 60_000);

  it('lose no effect of either, however they meet', async () => {
    const [a, b] = await open(10_000);
    const names = Array.from({ length: 8 }, (_, n) => `f${n}`);
    const answers = await Promise.all(
      [a, b].flatMap((runner, which) => names.map((name) => runner.write(`${which}-${name}`, name))),
    );
    expect(answers.filter(({ done }) => done !== true)).toEqual([]);
    const all = [0, 1].flatMap((which) => names.map((name) => `${which}-${name}`)).sort();
    for (const runner of [a, b]) expect((await runner.ask({ list: true })).paths).toEqual(all);
    expect((await b.ask({ read: '0-f3' })).text).toBe('f3');
  }, 120_000);

  it('go on without one that was stopped in the middle, and it sets nothing when it wakes', async () => {
    const [a, b] = await open(1_000);
    await a.write('before', 'kept');
    const late = a.write('late', 'slow content');
    await a.hear(({ keeping }) => keeping === true);
    a.process.kill('SIGSTOP');
    // Only once the lease of the one that sleeps has run out.
    expect(await b.write('meanwhile', 'b')).toMatchObject({ done: true });
    a.process.kill('SIGCONT');
    a.goOn();
    expect(await late).toMatchObject({ error: 'unavailable' });
    for (const runner of [a, b]) {
      expect((await runner.ask({ list: true })).paths).toEqual(['before', 'meanwhile']);
      expect((await runner.ask({ read: 'before' })).text).toBe('kept');
    }
    expect(await a.write('after', 'a')).toMatchObject({ done: true });
    expect((await b.ask({ list: true })).paths).toEqual(['after', 'before', 'meanwhile']);
  }, 120_000);

  it('go on without one that was killed in the middle, from the last effect that counted', async () => {
    const [a, b] = await open(1_000);
    await a.write('before', 'kept');
    void a.write('late', 'slow content');
    await a.hear(({ keeping }) => keeping === true);
    a.process.kill('SIGKILL');
    expect(await b.write('after', 'b')).toMatchObject({ done: true });
    expect((await b.ask({ list: true })).paths).toEqual(['after', 'before']);
    expect((await b.ask({ read: 'before' })).text).toBe('kept');
    // The next one of its directory finds them too, and sweeps what it left on the machine.
    const again = new Runner('a', `cnv_two${conversations}`, 1_000);
    runners = [again, b];
    await again.hear(({ ready }) => ready === true);
    expect((await again.ask({ list: true })).paths).toEqual(['after', 'before']);
  }, 120_000);
});
