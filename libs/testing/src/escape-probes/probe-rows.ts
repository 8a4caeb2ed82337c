/** The first 45 rows of the escape probes as data: what a contained program tries and the exact answer of the kernel; one row, one test. */

import { existsSync } from 'node:fs';

export interface ProbeRow {
  readonly row: number;
  readonly tries: string;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** In what the places that contain a program may rightly differ. */
export interface ProbePlace {
  /** What a system call newer than the filter's library gets. */
  readonly newCalls: 'EPERM' | 'ENOSYS';
  /** Inside ids of the program. */
  readonly id: number;
}

const each = (answer: string, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, answer]));

/** The answer for a file of /proc that not every kernel has: this machine tells which. */
const whereThere = (path: string, answer: unknown): unknown => (existsSync(`/proc/${path}`) ? answer : 'ENOENT');

const TELLING = ['kcore', 'keys', 'kallsyms', 'kmsg', 'config.gz', 'timer_list', 'interrupts', 'vmallocinfo'];

/** What of a network there is without one. */
const NO_ROUTE = 'ENETUNREACH';

export const probeRows = ({ newCalls, id }: ProbePlace): ProbeRow[] => [
  {
    row: 1,
    tries: 'unshare of any namespace',
    expected: each('EPERM', 'user', 'mount', 'net', 'cgroup', 'time', 'pid', 'uts', 'ipc'),
  },
  { row: 2, tries: 'clone into a user namespace', expected: { clone: 'EPERM', clone3: 'ENOSYS' } },
  { row: 3, tries: 'setns', expected: each('EPERM', 'setns') },
  { row: 4, tries: 'mount, remount and umount2', expected: each('EPERM', 'mount', 'remount', 'umount2') },
  {
    row: 5,
    tries: 'the newer calls that mount',
    expected: each('EPERM', 'fsopen', 'open_tree', 'move_mount', 'mount_setattr'),
  },
  { row: 6, tries: 'pivot_root and chroot', expected: each('EPERM', 'pivot_root', 'chroot') },
  { row: 7, tries: 'sethostname', expected: each('EPERM', 'sethostname', 'setdomainname') },
  { row: 8, tries: 'bpf', expected: each('EPERM', 'bpf') },
  { row: 9, tries: 'perf_event_open', expected: each('EPERM', 'perf_event_open') },
  { row: 10, tries: 'io_uring', expected: each('EPERM', 'io_uring_setup', 'io_uring_enter', 'io_uring_register') },
  { row: 11, tries: 'userfaultfd', expected: each('EPERM', 'userfaultfd') },
  { row: 12, tries: 'keyrings', expected: each('EPERM', 'keyctl', 'add_key', 'request_key') },
  {
    row: 13,
    tries: 'another kernel and modules',
    expected: each('EPERM', 'kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'),
  },
  {
    row: 14,
    tries: 'reboot, swap, accounting and quotas',
    expected: each('EPERM', 'reboot', 'swapon', 'swapoff', 'acct', 'quotactl'),
  },
  { row: 15, tries: 'iopl and ioperm', expected: each('EPERM', 'iopl', 'ioperm') },
  { row: 16, tries: 'syslog', expected: each('EPERM', 'syslog') },
  { row: 17, tries: 'setting the clock', expected: each('EPERM', 'clock_settime', 'adjtimex', 'settimeofday') },
  { row: 18, tries: 'file handles', expected: each('EPERM', 'open_by_handle_at', 'name_to_handle_at') },
  {
    row: 19,
    tries: 'personality and local descriptor tables',
    expected: each('EPERM', 'personality', 'personality_high', 'modify_ldt'),
  },
  {
    row: 20,
    tries: 'fanotify_init, vmsplice and listmount',
    expected: { ...each('EPERM', 'fanotify_init', 'vmsplice'), listmount: newCalls },
  },
  { row: 21, tries: 'the entry points of other architectures', expected: each('SIGSYS', 'int80', 'x32') },
  {
    row: 22,
    tries: 'tracing and reading other processes',
    expected: each('EPERM', 'traceme', 'attach', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd'),
  },
  {
    row: 23,
    tries: 'a signal to the host, and to everybody',
    expected: { host: 'ESRCH', strangers: 0, everybody: 'only its own' },
  },
  { row: 24, tries: 'the environment of process 1', expected: { 'foreign variables': [], 'first is ours': true } },
  {
    row: 25,
    tries: '/etc/shadow through process 1',
    expected: { 'through root': 'ENOENT', direct: 'ENOENT' },
  },
  { row: 26, tries: 'inherited descriptors', expected: { descriptors: [0, 1, 2] } },
  { row: 27, tries: 'writing its own program', expected: each('EACCES', 'self') },
  {
    row: 28,
    tries: 'becoming root',
    expected: {
      ...each('EPERM', 'setuid', 'setresuid', 'setgroups', 'capset'),
      'working set-id files': [],
      capabilities: ['0000000000000000'],
      NoNewPrivs: '1',
      Seccomp: '2',
      ids: [id, id, id, []],
    },
  },
  { row: 29, tries: 'escaping the out-of-memory killer', expected: each('EACCES', 'oom_score_adj') },
  { row: 30, tries: 'writing its id maps', expected: each('EPERM', 'uid_map', 'gid_map') },
  { row: 31, tries: 'real-time scheduling and a better nice', expected: each('EPERM', 'SCHED_FIFO', 'nice') },
  {
    row: 32,
    tries: "the host's loopback",
    expected: { ...each('ECONNREFUSED', 'v4', 'v6'), interfaces: ['lo'] },
  },
  {
    row: 33,
    tries: 'metadata, internet, cluster and names',
    expected: { ...each(NO_ROUTE, 'metadata', 'internet', 'cluster', 'metadata v6'), dns: 'refused' },
  },
  { row: 34, tries: 'an abstract socket of the host', expected: each('ECONNREFUSED', 'abstract') },
  { row: 35, tries: "docker's socket", expected: each('ENOENT', 'docker') },
  {
    row: 36,
    tries: 'socket families and raw sockets',
    expected: each(
      'EPERM',
      ...['netlink', 'packet', 'alg', 'vsock', 'xdp', 'key', 'tipc', 'raw', 'ping', 'sctp', 'pair of vsock'],
    ),
  },
  {
    row: 37,
    tries: 'the same with high bits set, and every family with every protocol',
    expected: {
      ...each('EPERM', 'netlink', 'packet', 'alg', 'vsock', 'xdp', 'key', 'tipc', 'raw', 'ping', 'sctp'),
      'families and protocols let through': ['1 0', '1 17', '1 6', '10 0', '10 17', '10 6', '2 0', '2 17', '2 6'],
    },
  },
  {
    row: 38,
    tries: 'a file outside of its own directories',
    expected: {
      ...each('EROFS', '/', '/usr', '/usr/bin', '/etc', '/var/tmp', '/run', '/opt'),
      '/dev': 'EACCES',
      '/proc': 'ENOENT',
      '/root': 'ENOENT',
    },
  },
  {
    row: 39,
    tries: 'writing kernel settings',
    expected: {
      ...each('EACCES', 'sys/kernel/core_pattern', 'sys/vm/drop_caches', 'sys/kernel/hostname'),
      'sysrq-trigger': whereThere('sysrq-trigger', 'EACCES'),
      'irq/default_smp_affinity': 'EACCES',
    },
  },
  {
    row: 40,
    tries: 'files of /proc that tell of the kernel',
    expected: Object.fromEntries(TELLING.map((name) => [name, whereThere(name, 0)])),
  },
  { row: 41, tries: 'devices of the host', expected: { present: [] } },
  { row: 42, tries: 'making devices', expected: { character: 'EPERM', block: 'EPERM', fifo: 'ok' } },
  { row: 43, tries: 'cgroup files', expected: { present: [], mounted: [] } },
  { row: 44, tries: 'a core file', expected: { limit: [0, 0], abort: 'SIGABRT' } },
  {
    row: 45,
    tries: 'typing into a terminal',
    expected: {
      ...each('EPERM', 'TIOCSTI', 'TIOCSTI_high', 'TIOCLINUX', 'TIOCLINUX_high'),
      terminals: [false, false, false],
      '/dev/tty': 'ENXIO',
    },
  },
];
