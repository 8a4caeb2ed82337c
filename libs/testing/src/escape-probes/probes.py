"""Tries, row by row, what a contained program must not be able to do and prints what the kernel answered, as one JSON object.

The rows are those of probe-rows.ts. An answer is "ok" where the attempt worked, else the name of the errno or of the signal that ended it.
Only the standard library is used, and nothing is left behind. x86-64 numbers.
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
import stat

libc = ctypes.CDLL(None, use_errno=True)
rows = {}
HIGH = 1 << 32
buffer = ctypes.addressof(ctypes.create_string_buffer(4096))
AT_FDCWD = -100


def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
    return "ok" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def calls(**numbers):
    return {name: call(*arguments) for name, arguments in numbers.items()}


def attempt(action):
    try:
        action()
        return "ok"
    except OSError as error:
        return errno.errorcode[error.errno]


def in_child(action):
    """Name of the signal that ended a child doing this, with "core" where it left one."""
    child = os.fork()
    if child == 0:
        action()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status):
        return "ok"
    return signal.Signals(os.WTERMSIG(status)).name + (" core" if os.WCOREDUMP(status) else "")


def read(path):
    """How many of the first bytes can be read."""
    try:
        with open(path, "rb") as f:
            return len(f.read(64))
    except OSError as error:
        return errno.errorcode[error.errno]


def put(path, text):
    def run():
        fd = os.open(path, os.O_WRONLY)
        try:
            os.write(fd, text)
        finally:
            os.close(fd)
    return attempt(run)


def create(directory):
    name = directory.rstrip("/") + "/probe"
    answer = attempt(lambda: os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY)))
    if answer == "ok":
        os.unlink(name)
    return answer


def connect(family, address):
    def run():
        with socket.socket(family, socket.SOCK_STREAM) as s:
            s.settimeout(3)
            s.connect(address)
    try:
        return attempt(run)
    except TypeError:
        return "ETIMEDOUT"


# Namespaces
rows[1] = calls(user=(272, 0x10000000), mount=(272, 0x20000), net=(272, 0x40000000), cgroup=(272, 0x02000000), time=(272, 0x80),
                pid=(272, 0x20000000), uts=(272, 0x04000000), ipc=(272, 0x08000000))
rows[2] = calls(clone=(56, 0x10000011, 0, 0, 0, 0), clone3=(435, buffer, 88))
rows[3] = calls(setns=(308, 0, 0))
rows[4] = calls(mount=(165, buffer, buffer, buffer, 0, 0), remount=(165, 0, buffer, 0, 32, 0), umount2=(166, buffer, 0))
rows[5] = calls(fsopen=(430, buffer, 0), open_tree=(428, AT_FDCWD, buffer, 1), move_mount=(429, 0, buffer, 0, buffer, 0),
                mount_setattr=(442, 0, buffer, 0, buffer, 32))
rows[6] = calls(pivot_root=(155, buffer, buffer), chroot=(161, buffer))
rows[7] = calls(sethostname=(170, buffer, 1), setdomainname=(171, buffer, 1))

# Surface of the kernel
rows[8] = calls(bpf=(321, 0, buffer, 72))
rows[9] = calls(perf_event_open=(298, buffer, 0, -1, -1, 0))
rows[10] = calls(io_uring_setup=(425, 8, buffer), io_uring_enter=(426, 0, 1, 0, 0, 0), io_uring_register=(427, 0, 0, 0, 0))
rows[11] = calls(userfaultfd=(323, 0))
rows[12] = calls(keyctl=(250, 0, 0), add_key=(248, buffer, buffer, buffer, 1, 0), request_key=(249, buffer, buffer, 0, 0))
rows[13] = calls(kexec_load=(246, 0, 0, 0, 0), kexec_file_load=(320, 0, 0, 0, 0, 0), init_module=(175, buffer, 1, buffer),
                 finit_module=(313, 0, buffer, 0), delete_module=(176, buffer, 0))
rows[14] = calls(reboot=(169, 0xFEE1DEAD, 672274793, 0), swapon=(167, buffer, 0), swapoff=(168, buffer), acct=(163, 0), quotactl=(179, 0, 0, 0, 0))
rows[15] = calls(iopl=(172, 3), ioperm=(173, 0, 1, 1))
rows[16] = calls(syslog=(103, 3, buffer, 16))
rows[17] = calls(clock_settime=(227, 0, buffer), adjtimex=(159, buffer), settimeofday=(164, buffer, 0))
rows[18] = calls(open_by_handle_at=(304, 0, buffer, 0), name_to_handle_at=(303, AT_FDCWD, buffer, buffer, buffer, 0))
rows[19] = calls(personality=(135, 0x0040000), personality_high=(135, HIGH | 0x0040000), modify_ldt=(154, 0, buffer, 16))
rows[20] = calls(fanotify_init=(300, 0, 0), vmsplice=(278, 1, buffer, 0, 0), listmount=(458, buffer, buffer, 1, 0))


def foreign_entry():
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, getpid; int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()


rows[21] = {"int80": in_child(foreign_entry), "x32": in_child(lambda: call(0x40000000 | 39))}

# Processes
rows[22] = calls(traceme=(101, 0, 0, 0, 0), attach=(101, 16, 1, 0, 0), process_vm_readv=(310, 1, buffer, 1, buffer, 1, 0),
                 process_vm_writev=(311, 1, buffer, 1, buffer, 1, 0), kcmp=(312, 1, 1, 0, 0, 0), pidfd_getfd=(438, 0, 0, 0))
pids = sorted(int(p) for p in os.listdir("/proc") if p.isdigit())
rows[23] = {"host": attempt(lambda: os.kill(int(os.environ["HOST_PID"]), 0)), "strangers": len([p for p in pids if p > 64])}



def signal_everybody():
    # From a user of its own in the namespace it reaches nobody but its own; the host's processes are not even named there.
    bystander = os.fork()
    if bystander == 0:
        signal.pause()
        os._exit(0)
    os.kill(-1, 0)
    os.kill(bystander, signal.SIGKILL)
    os.waitpid(bystander, 0)


rows[23]["everybody"] = "only its own" if attempt(signal_everybody) == "ok" and rows[23]["strangers"] == 0 else "more"
first = open("/proc/1/environ", "rb").read().split(b"\0") if os.access("/proc/1/environ", os.R_OK) else []
rows[24] = {"foreign variables": sorted(e.split(b"=")[0].decode() for e in first if e and e.split(b"=")[0].decode() not in os.environ), "first is ours": 1 in pids}
rows[25] = {"through root": read("/proc/1/root/etc/shadow"), "direct": read("/etc/shadow")}
rows[26] = {"descriptors": []}
for fd in range(1024):
    try:
        fcntl.fcntl(fd, fcntl.F_GETFD)
        rows[26]["descriptors"].append(fd)
    except OSError:
        pass
rows[27] = {"self": attempt(lambda: os.close(os.open("/proc/self/exe", os.O_WRONLY)))}
set_id = []
for directory in ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/local/bin", "/opt"):
    for where, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(where, name)
            try:
                inert = os.statvfs(path).f_flag & os.ST_NOSUID
                if os.lstat(path).st_mode & (stat.S_ISUID | stat.S_ISGID) and not inert:
                    set_id.append(path)
            except OSError:
                pass
status = dict(line.split(":\t") for line in open("/proc/self/status").read().splitlines())
rows[28] = calls(setuid=(105, 0), setresuid=(117, 0, 0, 0), setgroups=(116, 1, buffer), capset=(126, buffer, buffer))
rows[28].update({
    "working set-id files": set_id,
    "capabilities": sorted({status[c] for c in ("CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb")}),
    "NoNewPrivs": status["NoNewPrivs"],
    "Seccomp": status["Seccomp"],
    "ids": [os.getuid(), os.geteuid(), os.getgid(), os.getgroups()],
})
rows[29] = {"oom_score_adj": put("/proc/self/oom_score_adj", b"-1000")}
rows[30] = {"uid_map": put("/proc/self/uid_map", b"0 0 1"), "gid_map": put("/proc/self/gid_map", b"0 0 1")}
rows[31] = {"SCHED_FIFO": attempt(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))), "nice": attempt(lambda: os.nice(-5))}

# Network
port = int(os.environ["HOST_PORT"])
rows[32] = {"v4": connect(socket.AF_INET, ("127.0.0.1", port)), "v6": connect(socket.AF_INET6, ("::1", port)),
            "interfaces": [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]}
rows[33] = {"metadata": connect(socket.AF_INET, ("169.254.169.254", 80)), "internet": connect(socket.AF_INET, ("8.8.8.8", 53)),
            "cluster": connect(socket.AF_INET, ("10.96.0.1", 443)), "metadata v6": connect(socket.AF_INET6, ("fd00:ec2::254", 80))}
try:
    socket.getaddrinfo("example.com", 80)
    rows[33]["dns"] = "ok"
except socket.gaierror:
    rows[33]["dns"] = "refused"
rows[34] = {"abstract": connect(socket.AF_UNIX, "\0" + os.environ["HOST_SOCKET"])}
rows[35] = {"docker": connect(socket.AF_UNIX, "/var/run/docker.sock")}
FAMILIES = {"netlink": (16, 3, 0), "packet": (17, 3, 0), "alg": (38, 5, 0), "vsock": (40, 1, 0), "xdp": (44, 3, 0), "key": (15, 3, 2), "tipc": (30, 1, 0),
            "raw": (2, 3, 1), "ping": (2, 2, 1), "sctp": (2, 1, 132)}
rows[36] = {name: call(41, *numbers) for name, numbers in FAMILIES.items()}
rows[36]["pair of vsock"] = call(53, 40, 1, 0, buffer)
rows[37] = {name: call(41, HIGH | family, kind, protocol) for name, (family, kind, protocol) in FAMILIES.items()}
passed = set()
for family in list(range(0, 50)) + [HIGH | f for f in range(0, 50)]:
    for kind in (1, 2, 3, 5):
        for protocol in list(range(0, 64)) + [132, 255, 262] + [HIGH | p for p in range(0, 64)]:
            ctypes.set_errno(0)
            made = libc.syscall(ctypes.c_long(41), ctypes.c_long(family), ctypes.c_long(kind), ctypes.c_long(protocol))
            if made >= 0:
                os.close(made)
            if made >= 0 or ctypes.get_errno() != errno.EPERM:
                passed.add("%d %d" % (family, protocol))
rows[37]["families and protocols let through"] = sorted(passed)

# Files
rows[38] = {d: create(d) for d in ("/", "/usr", "/usr/bin", "/etc", "/dev", "/var/tmp", "/run", "/opt", "/proc")}
rows[38]["/root"] = create("/root")
rows[39] = {p: attempt(lambda: os.close(os.open("/proc/" + p, os.O_WRONLY)))
            for p in ("sys/kernel/core_pattern", "sys/vm/drop_caches", "sysrq-trigger", "irq/default_smp_affinity", "sys/kernel/hostname")}
rows[40] = {p: read("/proc/" + p) for p in ("kcore", "keys", "kallsyms", "kmsg", "config.gz", "timer_list", "interrupts", "vmallocinfo")}
rows[41] = {"present": [p for p in ("/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/vda", "/dev/sda", "/dev/fuse", "/dev/net/tun", "/dev/vsock", "/dev/pts/0")
                        if os.path.exists(p)]}
fifo = os.path.join(os.environ.get("TMPDIR", "/tmp"), "probe-fifo")
rows[42] = {"character": call(133, buffer, 0o20600, 0x103), "block": call(133, buffer, 0o60600, 0x103), "fifo": attempt(lambda: os.mkfifo(fifo))}
os.unlink(fifo)
rows[43] = {"present": [p for p in ("/sys", "/sys/fs/cgroup", "/sys/fs/cgroup/memory/release_agent", "/sys/fs/cgroup/cgroup.procs") if os.path.exists(p)],
            "mounted": sorted({line.split(" - ")[1].split(" ")[0] for line in open("/proc/self/mountinfo")} & {"cgroup", "cgroup2", "sysfs", "securityfs", "debugfs"})}
rows[44] = {"limit": list(resource.getrlimit(resource.RLIMIT_CORE)), "abort": in_child(os.abort)}
rows[45] = calls(TIOCSTI=(16, 0, 0x5412, buffer), TIOCSTI_high=(16, 0, HIGH | 0x5412, buffer), TIOCLINUX=(16, 0, 0x541C, buffer),
                 TIOCLINUX_high=(16, 0, HIGH | 0x541C, buffer))
rows[45].update({"terminals": [os.isatty(fd) for fd in (0, 1, 2)], "/dev/tty": attempt(lambda: open("/dev/tty").close())})

# Beside the rows: what every place is asked as well.
rows["calls beside"] = calls(memfd_secret=(447, 0), io_setup=(206, 1, buffer), shmget=(29, 0, 4096, 0o1600), msgget=(68, 0, 0o1600), semget=(64, 0, 1, 0o1600),
                             mq_open=(240, buffer, 0, 0, 0))
rows["host files"] = [p for p in ("/work", "/home", "/boot", "/srv", "/root/.ssh", os.environ["HOST_FILE"]) if os.path.exists(p)]
rows["mounts that may be written"] = {}
for line in open("/proc/self/mountinfo"):
    fields = line.split(" ")
    options = fields[5].split(",")
    if "rw" in options and not fields[4].startswith(("/dev/", "/proc")):
        rows["mounts that may be written"][fields[4]] = sorted(set(options) & {"nosuid", "nodev"})
print(json.dumps(rows))
