"""Tries what a program in the sandbox must not be able to do and prints what the kernel answered, as one JSON object.

An answer is "ok" where it worked, else the name of the errno or of the signal that ended the attempt.
"""
import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket

libc = ctypes.CDLL(None, use_errno=True)
answers = {}


def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
    return "ok" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def attempt(action):
    try:
        action()
        return "ok"
    except OSError as error:
        return errno.errorcode[error.errno]


def in_child(action):
    child = os.fork()
    if child == 0:
        action()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "ok"


HIGH = 1 << 32
buffer = ctypes.addressof(ctypes.create_string_buffer(4096))
CALLS = {
    "unshare user": (272, 0x10000000), "unshare mount": (272, 0x20000), "unshare net": (272, 0x40000000),
    "unshare cgroup": (272, 0x02000000), "unshare time": (272, 0x80), "clone user": (56, 0x10000011, 0, 0, 0, 0),
    "clone3": (435, buffer, 88), "setns": (308, 0, 0),
    "mount": (165, buffer, buffer, buffer, 0, 0), "umount2": (166, buffer, 0), "fsopen": (430, buffer, 0),
    "open_tree": (428, -100, buffer, 1), "move_mount": (429, 0, buffer, 0, buffer, 0), "mount_setattr": (442, 0, buffer, 0, buffer, 32),
    "pivot_root": (155, buffer, buffer), "chroot": (161, buffer), "sethostname": (170, buffer, 1),
    "bpf": (321, 0, buffer, 72), "perf_event_open": (298, buffer, 0, -1, -1, 0), "io_uring_setup": (425, 8, buffer),
    "userfaultfd": (323, 0), "keyctl": (250, 0, 0), "add_key": (248, buffer, buffer, buffer, 1, 0), "request_key": (249, buffer, buffer, 0, 0),
    "kexec_load": (246, 0, 0, 0, 0), "init_module": (175, buffer, 1, buffer), "finit_module": (313, 0, buffer, 0),
    "reboot": (169, 0xFEE1DEAD, 672274793, 0), "swapon": (167, buffer, 0), "acct": (163, 0), "quotactl": (179, 0, 0, 0, 0),
    "iopl": (172, 3), "ioperm": (173, 0, 1, 1), "syslog": (103, 3, buffer, 16), "clock_settime": (227, 0, buffer), "adjtimex": (159, buffer),
    "open_by_handle_at": (304, 0, buffer, 0), "name_to_handle_at": (303, -100, buffer, buffer, buffer, 0),
    "personality": (135, 0x0040000), "personality high": (135, HIGH | 0x0040000), "modify_ldt": (154, 0, buffer, 16),
    "fanotify_init": (300, 0, 0), "vmsplice": (278, 1, buffer, 0, 0), "listmount": (458, buffer, buffer, 1, 0),
    "ptrace traceme": (101, 0, 0, 0, 0), "ptrace attach": (101, 16, 1, 0, 0), "process_vm_readv": (310, 1, buffer, 1, buffer, 1, 0),
    "kcmp": (312, 1, 1, 0, 0, 0), "pidfd_getfd": (438, 0, 0, 0), "setuid": (105, 0), "setresuid": (117, 0, 0, 0), "capset": (126, buffer, buffer),
    "memfd_secret": (447, 0), "io_setup": (206, 1, buffer), "shmget": (29, 0, 4096, 0o1600), "msgget": (68, 0, 0o1600), "semget": (64, 0, 1, 0o1600),
    "mq_open": (240, buffer, 0, 0, 0), "mlockall": (151, 1), "mknod device": (133, buffer, 0o20600, 0x103), "nice": (141, 0, 0, -5),
    "socket netlink": (41, 16, 3, 0), "socket packet": (41, 17, 3, 0), "socket alg": (41, 38, 5, 0), "socket vsock": (41, 40, 1, 0),
    "socket xdp": (41, 44, 3, 0), "socket key": (41, 15, 3, 2), "socket tipc": (41, 30, 1, 0), "socket raw": (41, 2, 3, 1), "socket ping": (41, 2, 2, 1),
    "socket sctp": (41, 2, 1, 132), "socket vsock high": (41, HIGH | 40, 1, 0), "socket netlink high": (41, HIGH | 16, 3, 0),
    "socketpair vsock": (53, 40, 1, 0, buffer), "ioctl TIOCSTI": (16, 0, 0x5412, buffer), "ioctl TIOCSTI high": (16, 0, HIGH | 0x5412, buffer),
    "ioctl TIOCLINUX high": (16, 0, HIGH | 0x541C, buffer),
}
answers["calls"] = {name: call(*numbers) for name, numbers in CALLS.items()}

families = list(range(0, 50)) + [HIGH | f for f in range(0, 50)]
protocols = list(range(0, 64)) + [132, 255, 262] + [HIGH | p for p in range(0, 64)]
passed = set()
for family in families:
    for kind in (1, 2, 3, 5):
        for protocol in protocols:
            ctypes.set_errno(0)
            made = libc.syscall(ctypes.c_long(41), ctypes.c_long(family), ctypes.c_long(kind), ctypes.c_long(protocol))
            if made >= 0:
                os.close(made)
            if made >= 0 or ctypes.get_errno() != errno.EPERM:
                passed.add("%d %d" % (family, protocol))
answers["sockets"] = sorted(passed)


def foreign_entry():
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, getpid; int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()


answers["entries"] = {"int80": in_child(foreign_entry), "x32": in_child(lambda: call(0x40000000 | 39))}


def connect(family, address):
    def run():
        with socket.socket(family, socket.SOCK_STREAM) as s:
            s.settimeout(3)
            s.connect(address)
    return attempt(run)


port = int(os.environ["HOST_PORT"])
answers["network"] = {
    "host loopback": connect(socket.AF_INET, ("127.0.0.1", port)),
    "host loopback v6": connect(socket.AF_INET6, ("::1", port)),
    "metadata": connect(socket.AF_INET, ("169.254.169.254", 80)),
    "internet": connect(socket.AF_INET, ("8.8.8.8", 53)),
    "cluster": connect(socket.AF_INET, ("10.96.0.1", 443)),
    "metadata v6": connect(socket.AF_INET6, ("fd00:ec2::254", 80)),
    "host abstract socket": connect(socket.AF_UNIX, "\0" + os.environ["HOST_SOCKET"]),
    "docker": connect(socket.AF_UNIX, "/var/run/docker.sock"),
}
answers["interfaces"] = [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]
try:
    socket.getaddrinfo("example.com", 80)
    answers["dns"] = "ok"
except socket.gaierror:
    answers["dns"] = "refused"


def create(directory):
    return attempt(lambda: os.close(os.open(directory + "/probe", os.O_CREAT | os.O_WRONLY)))


answers["create"] = {d: create(d) for d in ("/", "/usr", "/usr/bin", "/etc", "/etc/alternatives", "/var/tmp", "/run", "/opt", "/bin", "/proc")}
answers["present"] = [
    p for p in (
        "/sys", "/root", "/home", "/work", "/boot", "/srv", "/etc/shadow", "/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/vda", "/dev/sda",
        "/dev/fuse", "/dev/net/tun", "/dev/vsock", "/dev/pts/0", "/proc/sys/kernel/nonexistent", os.environ["HOST_FILE"],
    ) if os.path.exists(p)
]


def first_bytes(path):
    try:
        with open(path, "rb") as f:
            return len(f.read(64))
    except OSError as error:
        return errno.errorcode[error.errno]


answers["masked"] = {p: first_bytes("/proc/" + p) for p in ("kcore", "keys", "kallsyms", "kmsg", "config.gz", "timer_list", "interrupts", "vmallocinfo")}
answers["write"] = {
    p: attempt(lambda: os.close(os.open(p, os.O_WRONLY)))
    for p in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/proc/self/exe", "/proc/sys/kernel/hostname")
}


def put(path, text):
    def run():
        fd = os.open(path, os.O_WRONLY)
        try:
            os.write(fd, text)
        finally:
            os.close(fd)
    return attempt(run)


answers["lower oom"] = put("/proc/self/oom_score_adj", b"-1000")
answers["uid map"] = put("/proc/self/uid_map", b"0 0 1")
answers["shadow through init"] = attempt(lambda: open("/proc/1/root/etc/shadow").close())
answers["realtime"] = attempt(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
answers["raise limit"] = "ok"
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
except (ValueError, OSError):
    answers["raise limit"] = "refused"
answers["kill outside"] = attempt(lambda: os.kill(int(os.environ["HOST_PID"]), 0))
answers["pids"] = sorted(int(p) for p in os.listdir("/proc") if p.isdigit())
answers["init environment"] = sorted(e.split(b"=")[0].decode() for e in open("/proc/1/environ", "rb").read().split(b"\0") if e)
fds = []
for fd in range(256):
    try:
        fcntl.fcntl(fd, fcntl.F_GETFD)
        fds.append(fd)
    except OSError:
        pass
answers["descriptors"] = fds
answers["status"] = dict(
    line.split(":\t") for line in open("/proc/self/status").read().splitlines() if line.split(":")[0] in ("CapEff", "CapBnd", "CapPrm", "CapAmb", "NoNewPrivs", "Seccomp")
)
answers["ids"] = [os.getuid(), os.geteuid(), os.getgid(), os.getgroups()]
answers["core limit"] = list(resource.getrlimit(resource.RLIMIT_CORE))
answers["mounts"] = {}
for line in open("/proc/self/mountinfo"):
    fields = line.split(" ")
    answers["mounts"][fields[4]] = fields[5].split(",")
answers["terminal"] = [os.isatty(fd) for fd in (0, 1, 2)] + [attempt(lambda: open("/dev/tty").close())]
print(json.dumps(answers))
