/** The profile that is shipped is the one that is made from what is allowed, and nothing of what the sandbox's research names as a way out is in it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checkout } from '../stack/checkout.ts';
import { ALLOWED_CALLS, IOCTL, PRCTL } from './allowed-calls.ts';
import { seccompProfile } from './seccomp-profile.ts';

const named = new Set(seccompProfile().syscalls.flatMap(({ names }) => names));

/** Every call that the probes' rows 1 to 31 and 52 name, and those refused beyond what others refuse. */
const REFUSED = (
  'unshare setns mount umount2 fsopen fsconfig fsmount fspick open_tree move_mount mount_setattr pivot_root chroot ' +
  'sethostname setdomainname bpf perf_event_open io_uring_setup io_uring_enter io_uring_register userfaultfd keyctl add_key ' +
  'request_key kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff acct quotactl ' +
  'quotactl_fd iopl ioperm syslog clock_settime clock_adjtime adjtimex settimeofday open_by_handle_at name_to_handle_at ' +
  'modify_ldt fanotify_init fanotify_mark vmsplice listmount statmount ptrace process_vm_readv process_vm_writev kcmp ' +
  'pidfd_getfd process_madvise setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset mlockall ' +
  'memfd_secret io_setup io_submit io_destroy shmget shmat shmctl msgget msgsnd msgrcv semget semop semctl mq_open mq_unlink ' +
  'seccomp landlock_create_ruleset vhangup nfsservctl lookup_dcookie migrate_pages move_pages mbind set_mempolicy ' +
  'sched_setattr ioprio_set uselib ustat sysfs _sysctl map_shadow_stack'
).split(' ');

describe('the seccomp profile', () => {
  it('is what "node --conditions=source tools/seccomp/generate-profile.main.ts" writes', () => {
    const shipped = JSON.parse(
      readFileSync(path.join(checkout, 'deploy', 'seccomp', 'bravo-sandbox.json'), 'utf8'),
    ) as unknown;
    expect(shipped).toEqual(JSON.parse(JSON.stringify(seccompProfile())));
  });

  it('names each call once, in order, and 231 of them in all', () => {
    for (const names of Object.values(ALLOWED_CALLS)) expect(names).toEqual([...new Set(names)].sort());
    expect(named.size).toBe(231);
  });

  it.each(REFUSED)('does not name %s', (call) => expect(named.has(call)).toBe(false));

  // The kernel's own headers, where a machine has them, say whether a number stands under its name.
  const headers = ['/usr/include/asm-generic/ioctls.h', '/usr/include/linux/prctl.h', '/usr/include/linux/sockios.h'];
  (headers.every((file) => existsSync(file)) ? it : it.skip)('has the numbers of the kernel under their names', () => {
    const text = headers.map((file) => readFileSync(file, 'utf8')).join('\n');
    const numbers = new Map(
      [...text.matchAll(/^#\s*define\s+(\w+)\s+(0x[0-9a-fA-F]+|\d+)\b/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    );
    for (const [name, value] of Object.entries({ ...IOCTL, ...PRCTL }))
      if (numbers.has(name)) expect({ name, value: numbers.get(name) }).toEqual({ name, value });
    expect([...Object.keys(IOCTL), ...Object.keys(PRCTL)].filter((name) => numbers.has(name)).length).toBeGreaterThan(
      25,
    );
  });
});
