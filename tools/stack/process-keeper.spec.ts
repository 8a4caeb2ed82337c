/** A killed process comes back, a stop ends exactly what was started with its descendants, and a stranger is left alone. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitUntil } from '@bravo/testing';
import { ensureHome, homeAt, type Home } from './home.ts';
import type { PlannedProcess } from './plan.ts';
import { groupMembers, identify, isAlive, parseStat, type ProcessIdentity } from './process-identity.ts';
import { ProcessKeeper, restartDelay } from './process-keeper.ts';
import { writeState, type RunningProcess } from './state-file.ts';
import { stopStack } from './stop-stack.ts';

const planned = (name: string, script: string): PlannedProcess => ({
  name,
  url: '',
  health: { kind: 'nats', port: 1 },
  spawn: { command: '/bin/sh', args: ['-c', script], cwd: '/', env: { PATH: '/usr/bin:/bin' }, stopSignal: 'SIGTERM' },
});

describe('ProcessKeeper', () => {
  let home: Home;
  let keeper: ProcessKeeper;
  let running: readonly RunningProcess[];
  beforeEach(() => {
    home = homeAt(mkdtempSync(path.join(tmpdir(), 'bravo-keeper-')));
    ensureHome(home);
    running = [];
    keeper = new ProcessKeeper(home.logs, (now) => (running = now), () => undefined);
  });
  afterEach(async () => {
    await keeper.stopAll();
    for (const directory of [home.root, home.pods]) rmSync(directory, { recursive: true });
  });
  const find = (name: string): RunningProcess | undefined => running.find((process) => process.name === name);

  it('starts a killed process again', async () => {
    keeper.keep(planned('one', 'sleep 60'));
    const first = find('one');
    process.kill(first?.pid ?? 0, 'SIGKILL');
    const second = await waitUntil('the restart', () => {
      const now = find('one');
      return now !== undefined && now.pid !== first?.pid && now;
    });
    expect(second.restarts).toBe(1);
    expect(isAlive(second)).toBe(true);
  });

  it('does not start again what refused its configuration, and keeps what it said', async () => {
    keeper.keep(planned('one', 'echo "{\\"level\\":1}"; echo "X is wrong." >&2; exit 78'));
    await waitUntil('the refusal', () => keeper.historyOf('one').misconfigured);
    await new Promise((resolve) => setTimeout(resolve, 4 * restartDelay(1)));
    expect(keeper.historyOf('one')).toMatchObject({ misconfigured: true, lastWords: 'X is wrong.', crashesInARow: 0 });
    expect(find('one')).toBeUndefined();
  });

  it('keeps the last words of what goes on crashing', async () => {
    keeper.keep(planned('one', 'echo "cannot start: no $$"; exit 1'));
    await waitUntil('two crashes', () => keeper.historyOf('one').crashesInARow >= 2);
    expect(keeper.historyOf('one')).toMatchObject({ misconfigured: false, lastWords: expect.stringMatching(/^cannot start: no \d+$/) });
  });

  it('stops in reverse order, with what a process left behind in its group [operator.down]', async () => {
    const order: string[] = [];
    keeper = new ProcessKeeper(
      home.logs,
      (now) => {
        running = now;
        order.push(now.map(({ name }) => name).join(','));
      },
      () => undefined,
    );
    keeper.keep(planned('first', 'sleep 60'));
    keeper.keep(planned('second', 'sleep 61 & exec sleep 62'));
    const leader = find('second') as ProcessIdentity;
    await waitUntil('the descendant', () => groupMembers(leader).length === 2);
    await keeper.stopAll();
    expect(order.slice(-2)).toEqual(['first', '']);
    await waitUntil('the descendants to be gone', () => groupMembers(leader).length === 0);
  }, 30_000);

  it('starts nothing any more once it stops', async () => {
    await keeper.stopAll();
    keeper.keep(planned('late', 'sleep 60'));
    expect(running).toEqual([]);
  });

  it('waits longer after each crash in a row, but never longer than ten seconds', () => {
    expect([1, 2, 3, 20].map(restartDelay)).toEqual([100, 200, 400, 10_000]);
  });
});

describe('stopStack after its supervisor crashed', () => {
  it('ends what the state names and spares a stranger who has the number now [operator.down]', async () => {
    const home = homeAt(mkdtempSync(path.join(tmpdir(), 'bravo-stop-')));
    ensureHome(home);
    const start = () => spawn('/bin/sleep', ['60'], { detached: true, stdio: 'ignore' });
    const [ours, stranger] = [start(), start()];
    const name = (pid: number | undefined, label: string): RunningProcess => ({
      ...(identify(pid ?? 0) as ProcessIdentity),
      name: label,
      stop_signal: 'SIGTERM',
      started_at: '',
      restarts: 0,
    });
    const dead: ProcessIdentity = { pid: 1, start_ticks: -1, boot_id: 'none' };
    const mistaken = { ...name(stranger.pid, 'reused'), start_ticks: 1 };
    const state = { version: 1 as const, phase: 'running' as const, ports: {}, gateway_url: '', restrictions: [] };
    writeState(home, { ...state, supervisor: dead, processes: [name(ours.pid, 'ours'), mistaken] });
    try {
      expect(await stopStack(home)).toEqual(['ours']);
      expect(stranger.exitCode).toBeNull();
      expect(identify(stranger.pid ?? 0)).toBeDefined();
      expect(await stopStack(home)).toEqual([]);
    } finally {
      stranger.kill('SIGKILL');
      for (const directory of [home.root, home.pods]) rmSync(directory, { recursive: true });
    }
  });
});

describe('parseStat', () => {
  it('is not misled by a process that calls itself something with parentheses and spaces', () => {
    const rest = ['S', '1', '77', ...Array.from({ length: 16 }, () => '0'), '4711', '0'];
    expect(parseStat(`12 (a) b (c) ${rest.join(' ')}`)).toEqual({ state: 'S', group: 77, startTicks: 4711 });
  });
});
