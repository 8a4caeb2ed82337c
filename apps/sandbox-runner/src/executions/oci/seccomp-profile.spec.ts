import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { settingsHere } from './settings-here.fixture.ts';

interface Rule {
  readonly names: string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: { index: number; value: number; valueTwo?: number; op: string }[];
}
const profile = JSON.parse(readFileSync(settingsHere('').seccompProfile, 'utf8')) as {
  readonly defaultAction: string;
  readonly defaultErrnoRet: number;
  readonly architectures: string[];
  readonly syscalls: Rule[];
};
const rulesOf = (name: string) => profile.syscalls.filter(({ names }) => names.includes(name));

describe('the seccomp profile', () => {
  it('refuses what it does not name, on one architecture, with no part that a runtime would not resolve', () => {
    expect(profile).toMatchObject({
      defaultAction: 'SCMP_ACT_ERRNO',
      defaultErrnoRet: 1,
      architectures: ['SCMP_ARCH_X86_64'],
    });
    expect(Object.keys(profile).sort()).toEqual(['architectures', 'defaultAction', 'defaultErrnoRet', 'syscalls']);
    for (const rule of profile.syscalls) {
      expect(['names', 'action', 'args', 'errnoRet']).toEqual(expect.arrayContaining(Object.keys(rule)));
      expect(['SCMP_ACT_ALLOW', 'SCMP_ACT_ERRNO']).toContain(rule.action);
    }
  });

  it('allows no call twice without conditions, and compares by equality only', () => {
    const plain = profile.syscalls.filter(({ args }) => args === undefined).flatMap(({ names }) => names);
    expect(new Set(plain).size).toBe(plain.length);
    for (const { names, args } of profile.syscalls) {
      if (args === undefined) continue;
      expect(names.filter((name) => plain.includes(name))).toEqual([]);
      for (const { op } of args) expect(['SCMP_CMP_EQ', 'SCMP_CMP_MASKED_EQ']).toContain(op);
    }
  });

  it('compares the same arguments in every rule of one call, which libseccomp needs to get right', () => {
    const shapes = new Map<string, Set<string>>();
    for (const { names, args } of profile.syscalls) {
      for (const name of names)
        shapes.set(name, (shapes.get(name) ?? new Set()).add((args ?? []).map(({ index }) => index).join()));
    }
    expect([...shapes].filter(([, shape]) => shape.size > 1)).toEqual([]);
  });

  it.each([
    'unshare',
    'setns',
    'mount',
    'umount2',
    'pivot_root',
    'chroot',
    'bpf',
    'perf_event_open',
    'io_uring_setup',
    'userfaultfd',
    'keyctl',
    'add_key',
    'request_key',
    'kexec_load',
    'init_module',
    'finit_module',
    'ptrace',
    'process_vm_readv',
    'process_vm_writev',
    'kcmp',
    'setuid',
    'setgroups',
    'capset',
    'open_by_handle_at',
    'name_to_handle_at',
    'modify_ldt',
    'memfd_secret',
    'shmget',
    'msgget',
    'semget',
    'mq_open',
    'reboot',
    'swapon',
    'syslog',
    'seccomp',
  ])('does not allow %s', (name) => {
    expect(rulesOf(name)).toEqual([]);
  });

  it('lets clone make no namespace and sends clone3 back to it', () => {
    expect(rulesOf('clone')).toEqual([
      {
        names: ['clone'],
        action: 'SCMP_ACT_ALLOW',
        args: [{ index: 0, value: 0x7e020000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
      },
    ]);
    expect(rulesOf('clone3')).toEqual([{ names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 }]);
  });
});
