/** A search for orphans that finds none would pass whatever is left: it is shown one of each kind. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Belongings, leftoversOf, type Machine, THIS_MACHINE, tracesOfExecutions } from './orphans.ts';

let scratch: string;
let own: Belongings;
let machine: Machine;
const file = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(scratch, name)), { recursive: true });
  writeFileSync(path.join(scratch, name), text);
};

beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'bravo-orphans-'));
  own = {
    directories: [path.join(scratch, 'home'), path.join(scratch, 'pods')],
    bundles: path.join(scratch, 'bundles'),
    root: path.join(scratch, 'home'),
    cgroupName: 'bravo-sandbox-x',
    podCgroupName: 'bravo-pods-x',
  };
  machine = { proc: path.join(scratch, 'proc'), cgroup: path.join(scratch, 'cgroup') };
  for (const directory of ['home', 'pods/p1', 'cgroup']) mkdirSync(path.join(scratch, directory), { recursive: true });
  file('proc/self/mountinfo', '22 1 0:20 / /proc rw - proc proc rw\n');
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe('orphans', () => {
  it('are none where there is nothing of the platform, whatever else runs', () => {
    expect([...leftoversOf(own, machine), ...tracesOfExecutions(own, machine)]).toEqual([]);
    expect(leftoversOf(own)).toEqual([]);
  });

  it('are a real process that still works in a directory of the platform, until it has ended', async () => {
    const pod: ChildProcess = spawn('sleep', ['30'], { cwd: path.join(scratch, 'pods', 'p1') });
    try {
      expect(leftoversOf(own, THIS_MACHINE)).toEqual([expect.stringMatching(`^process ${pod.pid} `)]);
    } finally {
      pod.kill('SIGKILL');
      await new Promise((resolve) => pod.once('close', resolve));
    }
    expect(leftoversOf(own, THIS_MACHINE)).toEqual([]);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'a pod',
      () => {
        file('proc/77/status', 'State:\tS (sleeping)\nPPid:\t1\n');
        file('proc/77/cmdline', 'node\0agent-runtime.mjs\0');
        symlinkSync(path.join(scratch, 'pods', 'p1'), path.join(scratch, 'proc/77/cwd'));
      },
      /^process 77 node agent-runtime/,
    ],
    [
      'a mount of a run',
      () => file('proc/self/mountinfo', `90 1 0:50 / ${path.join(scratch, 'bundles', 'runs', 'a')} rw - tmpfs x rw\n`),
      /^mount .*bundles\/runs\/a$/,
    ],
    [
      'a cgroup of pods',
      () => mkdirSync(path.join(scratch, 'cgroup', 'pids', 'bravo-pods-x'), { recursive: true }),
      /^cgroup .*pids\/bravo-pods-x$/,
    ],
    [
      'a cgroup',
      () => mkdirSync(path.join(scratch, 'cgroup', 'memory', 'bravo-sandbox-x'), { recursive: true }),
      /^cgroup .*memory\/bravo-sandbox-x$/,
    ],
  ])('are %s that outlives the platform', (_name, plant, found) => {
    plant();
    expect(leftoversOf(own, machine)).toEqual(expect.arrayContaining([expect.stringMatching(found)]));
  });

  it.each<[string, () => void, RegExp]>([
    ['a bundle', () => mkdirSync(path.join(scratch, 'bundles', 'runs', 'b'), { recursive: true }), /^bundle b$/],
    [
      'a leaf of a cgroup',
      () => mkdirSync(path.join(scratch, 'cgroup', 'memory', 'bravo-sandbox-x', 'slot-1'), { recursive: true }),
      /^cgroup .*slot-1$/,
    ],
  ])('are %s of an execution that has ended', (_name, plant, found) => {
    plant();
    expect(tracesOfExecutions(own, machine)).toEqual(expect.arrayContaining([expect.stringMatching(found)]));
  });
});
