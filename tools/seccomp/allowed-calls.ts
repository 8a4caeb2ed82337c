/**
 * What a contained program may ask of the kernel: the source of `deploy/seccomp/bravo-sandbox.json`. Everything that is not here fails
 * with EPERM. Numbers are x86-64's, each under the name the kernel's headers give it.
 */

/** Calls allowed with whatever arguments, by what they are for. */
export const ALLOWED_CALLS: Readonly<Record<string, readonly string[]>> = {
  'files, directories and what waits for them': (
    'access chdir chmod chown close close_range copy_file_range creat ' +
    'dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 ' +
    'epoll_wait eventfd eventfd2 faccessat faccessat2 fadvise64 fallocate fchdir ' +
    'fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr ' +
    'flistxattr flock fstat fstatfs fsync ftruncate futimesat getcwd ' +
    'getdents getdents64 getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch lchown ' +
    'lgetxattr link linkat listxattr llistxattr lseek lstat memfd_create ' +
    'mkdir mkdirat newfstatat open openat openat2 pipe pipe2 ' +
    'poll ppoll pread64 preadv preadv2 pselect6 pwrite64 pwritev ' +
    'pwritev2 read readahead readlink readlinkat readv rename renameat ' +
    'renameat2 rmdir select sendfile signalfd signalfd4 splice stat ' +
    'statfs statx symlink symlinkat sync sync_file_range syncfs tee ' +
    'timerfd_create timerfd_gettime timerfd_settime truncate umask unlink unlinkat utime ' +
    'utimensat utimes write writev'
  ).split(' '),
  'memory of its own': (
    'brk madvise membarrier mincore mlock mlock2 mmap mprotect ' +
    'mremap msync munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect'
  ).split(' '),
  'processes of its own, and nothing of who they are': (
    'alarm arch_prctl capget execve execveat exit exit_group fork ' +
    'futex futex_waitv get_robust_list getcpu getegid geteuid getgid getgroups ' +
    'getitimer getpgid getpgrp getpid getppid getpriority getresgid getresuid ' +
    'getrlimit getrusage getsid gettid getuid kill pause pidfd_open ' +
    'pidfd_send_signal prlimit64 restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo ' +
    'rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr ' +
    'sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setscheduler sched_yield set_robust_list set_tid_address ' +
    'setitimer setpgid setpriority setrlimit setsid sigaltstack sysinfo tgkill ' +
    'times tkill uname vfork wait4 waitid'
  ).split(' '),
  'time, and no setting of it': (
    'clock_getres clock_gettime clock_nanosleep getrandom gettimeofday nanosleep time timer_create ' +
    'timer_delete timer_getoverrun timer_gettime timer_settime'
  ).split(' '),
  'sockets that exist already': (
    'accept accept4 bind connect getpeername getsockname getsockopt listen ' +
    'recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto setsockopt shutdown'
  ).split(' '),
};

/** Every flag of clone that makes a namespace. */
const NEW_NAMESPACES = 0x7e02_0000;
const FILE_TYPE = 0xf000;
const FIFO = 0x1000;

export interface Condition {
  readonly index: number;
  /** All 64 bits are compared, so that a high bit smuggles nothing in. */
  readonly is: number;
  /** Only these bits are compared. */
  readonly mask?: number;
}

/** Calls allowed only where all conditions of one of the rows hold. Rows of one call compare the same arguments, which libseccomp needs. */
export const ALLOWED_WITH: readonly { readonly call: string; readonly where: readonly (readonly Condition[])[] }[] = [
  { call: 'clone', where: [[{ index: 0, mask: NEW_NAMESPACES, is: 0 }]] },
  { call: 'mknod', where: [[{ index: 1, mask: FILE_TYPE, is: FIFO }]] },
  { call: 'mknodat', where: [[{ index: 2, mask: FILE_TYPE, is: FIFO }]] },
];

/** clone3 keeps its flags where a filter cannot look; ENOSYS sends libc back to clone. */
export const REFUSED_WITH = { clone3: 38 } as const;

export const FAMILIES = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10 } as const;
export const PROTOCOLS = { default: 0, IPPROTO_TCP: 6, IPPROTO_UDP: 17 } as const;
export const PERSONALITIES = { PER_LINUX: 0, ask: 0xffff_ffff } as const;

export const PRCTL = {
  PR_SET_PDEATHSIG: 1,
  PR_GET_PDEATHSIG: 2,
  PR_GET_DUMPABLE: 3,
  PR_SET_DUMPABLE: 4,
  PR_GET_KEEPCAPS: 7,
  PR_SET_NAME: 15,
  PR_GET_NAME: 16,
  PR_GET_SECCOMP: 21,
  PR_CAPBSET_READ: 23,
  PR_SET_TIMERSLACK: 29,
  PR_GET_TIMERSLACK: 30,
  PR_SET_CHILD_SUBREAPER: 36,
  PR_GET_CHILD_SUBREAPER: 37,
  PR_SET_NO_NEW_PRIVS: 38,
  PR_GET_NO_NEW_PRIVS: 39,
  PR_GET_TID_ADDRESS: 40,
  PR_SET_VMA: 0x5356_4d41,
} as const;

/** Terminals are asked and none is typed into: no TIOCSTI, no TIOCLINUX. */
export const IOCTL = {
  TCGETS: 0x5401,
  TCSETS: 0x5402,
  TCSETSW: 0x5403,
  TCSETSF: 0x5404,
  TIOCGPGRP: 0x540f,
  TIOCSPGRP: 0x5410,
  TIOCOUTQ: 0x5411,
  TIOCGWINSZ: 0x5413,
  FIONREAD: 0x541b,
  FIONBIO: 0x5421,
  FIONCLEX: 0x5450,
  FIOCLEX: 0x5451,
  FIOASYNC: 0x5452,
  TCGETS2: 0x802c_542a,
  FICLONE: 0x4004_9409,
  SIOCGIFNAME: 0x8910,
  SIOCGIFCONF: 0x8912,
  SIOCGIFINDEX: 0x8933,
} as const;
