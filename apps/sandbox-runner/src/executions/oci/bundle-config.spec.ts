import { describe, expect, it } from '@jest/globals';
import { bundleConfig, type BundleFacts } from './bundle-config.ts';

const FACTS: BundleFacts = {
  root: '/r',
  workspace: '/w',
  binds: [{ source: '/usr', destination: '/usr' }],
  firstHostId: 300_000_000,
  args: ['/bin/true'],
  env: { A: 'b=c' },
  limits: { timeoutSeconds: 1, memoryMb: 64, cpu: 0.5 },
  seccomp: { defaultAction: 'SCMP_ACT_ERRNO' },
};

interface Config {
  readonly root: object;
  readonly process: Record<string, unknown>;
  readonly mounts: { destination: string; type: string; options: string[] }[];
  readonly linux: Record<string, unknown> & { namespaces: { type: string }[] };
}
const config = (more: Partial<BundleFacts> = {}) => bundleConfig({ ...FACTS, ...more }) as Config;

describe('a bundle', () => {
  it('takes every privilege away', () => {
    const { process, root, linux } = config();
    expect(root).toEqual({ path: '/r', readonly: true });
    expect(process).toMatchObject({
      user: { uid: 1000, gid: 1000 },
      noNewPrivileges: true,
      terminal: false,
      env: ['A=b=c'],
    });
    for (const set of Object.values(process['capabilities'] as Record<string, string[]>)) expect(set).toEqual([]);
    expect(linux.namespaces.map(({ type }) => type).sort()).toEqual([
      'cgroup',
      'ipc',
      'mount',
      'network',
      'pid',
      'user',
      'uts',
    ]);
    expect(linux['uidMappings']).toEqual([{ containerID: 0, hostID: 300_000_000, size: 65_536 }]);
    expect(linux['gidMappings']).toEqual(linux['uidMappings']);
    expect(linux['seccomp']).toBe(FACTS.seccomp);
  });

  it('mounts nothing with devices or set-uid, nothing of the host writable but the workspace, and no /sys', () => {
    const { mounts } = config();
    for (const { destination, options } of mounts) {
      expect({ destination, options }).toMatchObject({ options: expect.arrayContaining(['nosuid']) });
      if (destination !== '/dev')
        expect({ destination, options }).toMatchObject({ options: expect.arrayContaining(['nodev']) });
    }
    const writableBinds = mounts.filter(({ type, options }) => type === 'bind' && !options.includes('ro'));
    expect(writableBinds.map(({ destination }) => destination)).toEqual(['/workspace']);
    expect(mounts.map(({ destination }) => destination)).toEqual([
      '/proc',
      '/dev',
      '/dev/shm',
      '/tmp',
      '/usr',
      '/workspace',
    ]);
  });

  it('holds limits only where the runtime makes the group', () => {
    expect(config().linux).not.toHaveProperty('resources');
    expect(config({ cgroupsPath: '/a/b/c' }).linux).toMatchObject({
      cgroupsPath: '/a/b/c',
      resources: {
        memory: { limit: 67_108_864, swap: 67_108_864 },
        cpu: { period: 100_000, quota: 50_000 },
        pids: { limit: 64 },
      },
    });
  });
});
