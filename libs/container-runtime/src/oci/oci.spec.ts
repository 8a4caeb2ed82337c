/** What only a machine of another kind would show, in plain files and with programs that stand in for a runtime. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cgroupV2 } from './cgroup-v2.ts';
import { findCgroups } from './find-cgroups.ts';
import { bundleGroup, findRuntime, runWords } from './index.ts';
import { COMMAND_ENVIRONMENT } from './run-command.ts';

// No machine of ours has version 2 alone, so what is written is held to the kernel's documented files in a plain directory.
describe('cgroup version 2', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'bravo-cgroup-'));
    for (const directory of [root, join(root, 'tree')]) {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'cgroup.subtree_control'), '');
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('makes no leaf whose limits cannot be set', async () => {
    await expect(cgroupV2(root, 'tree').createLeaf('run', { memoryBytes: 1 << 26, pids: 64, cpu: 1 })).rejects.toThrow(
      'cgroup.subtree_control',
    );
    expect(readFileSync(join(root, 'tree', 'cgroup.subtree_control'), 'utf8')).toBe('+memory +cpu +pids');
  });

  it('is not taken for granted where no controller is mounted', async () => {
    await expect(findCgroups('x', root)).rejects.toThrow('memory, cpu, pids, devices');
  });
});

describe('the runtime', () => {
  let directory: string;
  const usual = COMMAND_ENVIRONMENT.PATH;
  const environment = COMMAND_ENVIRONMENT as { PATH: string };
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'bravo-oci-'));
  });
  afterEach(() => {
    environment.PATH = usual;
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  const only = (...programs: string[]): void => {
    const place = mkdtempSync(join(directory, 'path-'));
    for (const program of programs)
      writeFileSync(join(place, program), `#!/bin/sh\necho "${program} version 7"\n`, { mode: 0o755 });
    environment.PATH = place;
  };

  it('is crun, or runc where crun is not there, and no other than the one that was named', async () => {
    only('crun', 'runc');
    expect(await findRuntime('crun')).toEqual({ program: 'crun', kind: 'crun', version: 'crun version 7' });
    only('runc');
    expect(await findRuntime('crun')).toEqual({ program: 'runc', kind: 'runc', version: 'runc version 7' });
    await expect(findRuntime('/opt/crun')).rejects.toThrow('/opt/crun');
    only('crun');
    await expect(findRuntime('runc')).rejects.toThrow('runc');
    only();
    await expect(findRuntime('crun')).rejects.toThrow('crun');
  });

  it('is told where the group is: crun by an option, both by the bundle where they make it', () => {
    const where = { state: '/s', bundle: '/b', name: 'n' };
    const leaf = { managerOption: '--cgroup-manager=disabled', cgroupsPath: undefined } as never;
    const words = (kind: 'crun' | 'runc') =>
      runWords({ program: kind, kind, version: '' }, leaf, where, '--preserve-fds=1');
    expect(words('crun').join(' ')).toBe('crun --root /s --cgroup-manager=disabled run --preserve-fds=1 -b /b n');
    expect(words('runc').join(' ')).toBe('runc --root /s run --preserve-fds=1 -b /b n');
    const limits = { memoryBytes: 5, pids: 6, cpu: undefined };
    expect(bundleGroup({ cgroupsPath: undefined }, limits)).toEqual({});
    expect(bundleGroup({ cgroupsPath: '/t/n/c' }, limits)).toEqual({
      cgroupsPath: '/t/n/c',
      resources: { memory: { limit: 5, swap: 5 }, pids: { limit: 6 }, unified: { 'memory.oom.group': '1' } },
    });
  });
});
