/** Rows 1 to 59 and 63 of the escape probes, for every SandboxBackend; 60 and 61 are of its ends, 62 of its waiting interpreters. */
import { describe, expect, it } from '@jest/globals';
import { describeEscapeProbes } from '@bravo/testing/escape-probes/describe-escape-probes';
import type { ProbePlace } from '@bravo/testing/escape-probes/probe-rows';
import { runIn } from './run-in.fixture.ts';
import type { SandboxBackend } from './sandbox-backend.port.ts';

/** Python that prints what `action` came to: a value, or the name of the error. */
const told = (lines: string): string =>
  `import errno, json, os, signal, stat, sys\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nsaid = {}\ndef attempt(name, action):\n  try: said[name] = action()\n  except OSError as e: said[name] = errno.errorcode[e.errno]\n${lines}\nprint(json.dumps(said))`;

export const describeContainment = (open: () => SandboxBackend, place: ProbePlace): void => {
  const ask = async (lines: string, memoryMb = 256): Promise<Record<string, unknown>> => {
    const result = await runIn(open(), { language: 'python', code: told(lines), limits: { memoryMb } });
    expect({ outcome: result.outcome, stderr: result.stderr }).toEqual({ outcome: 'ok', stderr: '' });
    return JSON.parse(result.stdout) as Record<string, unknown>;
  };

  describeEscapeProbes({
    ...place,
    run: async (code, env) => {
      const result = await runIn(open(), { language: 'python', code, env });
      expect({ outcome: result.outcome, stderr: result.stderr }).toEqual({ outcome: 'ok', stderr: '' });
      return result.stdout;
    },
  });

  describe('a program that exhausts what it has meets the exact limit', () => {
    it('probe 46: bytes of /workspace, /tmp and /dev/shm', async () => {
      const fill =
        "def fill(d):\n  n = 0\n  try:\n    for part in range(9):\n      with open('%s/fill%d' % (d, part), 'wb') as f:\n        for _ in range(128): n += f.write(b'x' * 65536)\n  except OSError as e: said[d] = [round(n / 2**20), errno.errorcode[e.errno]]\n  for name in os.listdir(d):\n    if name.startswith('fill'): os.truncate(d + '/' + name, 0); os.remove(d + '/' + name)\nfor d in ('/workspace', '/tmp', '/dev/shm'): fill(d)";
      expect(await ask(fill, 512)).toEqual({
        '/workspace': [64, 'ENOSPC'],
        '/tmp': [16, 'ENOSPC'],
        '/dev/shm': [8, 'ENOSPC'],
      });
    });

    it('probe 47: files of /workspace, /tmp and /dev/shm', async () => {
      const make =
        "def many(d):\n  n = 0\n  try:\n    while n < 9999: open('%s/i%d' % (d, n), 'w').close(); n += 1\n  except OSError as e: said[d] = [n, errno.errorcode[e.errno]]\n  for i in range(n): os.remove('%s/i%d' % (d, i))\nfor d in ('/workspace', '/tmp', '/dev/shm'): many(d)";
      // An inode is the root's, and one more of /workspace is the script's.
      expect(await ask(make)).toEqual({
        '/workspace': [4094, 'ENOSPC'],
        '/tmp': [1023, 'ENOSPC'],
        '/dev/shm': [255, 'ENOSPC'],
      });
    });

    it('probe 48: a file of a terabyte', async () => {
      const sparse =
        "open('f', 'w').close()\nattempt('truncate', lambda: os.truncate('f', 2**40))\nattempt('most', lambda: os.truncate('f', 64 * 2**20))\nattempt('more', lambda: os.truncate('f', 64 * 2**20 + 1))\nos.remove('f')";
      expect(await ask(sparse)).toEqual({ truncate: 'EFBIG', most: null, more: 'EFBIG' });
    });

    it('probe 49: descriptors', async () => {
      const open_ =
        "fds = []\ntry:\n  while True: fds.append(os.open('/dev/null', 0))\nexcept OSError as e: error = errno.errorcode[e.errno]\nsaid['highest'] = max(fds)\nsaid['error'] = error\nfor fd in fds: os.close(fd)\nimport resource\nattempt('more', lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)))".replace(
          "attempt('more'",
          "try: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\nexcept ValueError: said['more'] = 'refused'\n#",
        );
      expect(await ask(open_)).toEqual({ highest: 255, error: 'EMFILE', more: 'refused' });
    });

    it('probe 50: names', async () => {
      const result = await runIn(open(), {
        language: 'python',
        code: told(
          "for name in ('a' * 255, 'a' * 256, b'\\xff', 'new\\nline', 'esc\\x1b', '-rf'): attempt(repr(name)[:12] + str(len(name)), lambda: open(name, 'w').close())",
        ),
      });
      expect(JSON.parse(result.stdout)).toEqual({
        "'aaaaaaaaaaa255": null,
        "'aaaaaaaaaaa256": 'ENAMETOOLONG',
        "b'\\xff'1": null,
        "'new\\nline'8": null,
        "'esc\\x1b'4": null,
        "'-rf'3": null,
      });
      expect(result.files.map(({ path }) => path)).toEqual(['-rf', 'a'.repeat(255)]);
      expect(result.skipped).toEqual([
        { path: 'esc\\x1b', reason: 'bad_name' },
        { path: 'new\\x0aline', reason: 'bad_name' },
        { path: '\\xff', reason: 'bad_name' },
      ]);
    });

    it('probe 51: directories two thousand deep', async () => {
      const code =
        "import os\nfor _ in range(2000): os.mkdir('d'); os.chdir('d')\nopen('f', 'w').write('x')\nprint('dug')";
      const result = await runIn(open(), { language: 'python', code });
      expect(result).toMatchObject({ outcome: 'ok', stdout: 'dug\n', files: [] });
      expect(result.skipped).toEqual([{ path: Array(17).fill('d').join('/'), reason: 'directory_too_deep' }]);
    });

    it('probe 52: locked memory', async () => {
      const lock =
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nsaid['mlockall'] = libc.syscall(151, 1) and errno.errorcode[ctypes.get_errno()]";
      expect(await ask(lock)).toEqual({ mlockall: 'EPERM' });
    });

    it('probe 53: processes and threads', async () => {
      const bombs =
        "import threading, time\nn = 0\npids = []\ntry:\n  while True:\n    pid = os.fork()\n    if pid == 0: time.sleep(60); os._exit(0)\n    pids.append(pid)\nexcept OSError as e: said['fork'] = errno.errorcode[e.errno]\nsaid['children'] = 50 < len(pids) < 64\nfor pid in pids: os.kill(pid, 9); os.waitpid(pid, 0)\nn = 0\nstop = threading.Event()\ntry:\n  while n < 99: threading.Thread(target=stop.wait, daemon=True).start(); n += 1\nexcept RuntimeError: said['threads'] = 50 < n < 64\nstop.set()";
      expect(await ask(bombs)).toEqual({ fork: 'EAGAIN', children: true, threads: true });
    });

    it.each([
      ['direct', 'python', "x = b'a' * (200 * 1024 * 1024)"],
      ['in a child', 'bash', 'head -c 200M /dev/zero | tail -c 200M > /dev/null; sleep 5; echo survived'],
      [
        'with its files counted',
        'bash',
        'head -c 50M /dev/zero > f; head -c 60M /dev/zero | tail -c 60M > /dev/null; sleep 5; echo survived',
      ],
      ['in node', 'node', 'const a = []; for (;;) a.push(Buffer.alloc(1 << 20, 1));'],
    ] as const)('probe 54: memory, %s', async (_, language, code) => {
      expect(await runIn(open(), { language, code, limits: { memoryMb: 100 } })).toMatchObject({
        outcome: 'oom_killed',
        oomKilled: true,
        timedOut: false,
        exitCode: 137,
        signal: 'SIGKILL',
        stdout: '',
      });
    });

    it.each(['stdout', 'stderr'] as const)('probe 55: output, %s', async (stream) => {
      const result = await runIn(open(), { code: `yes ${stream === 'stderr' ? '>&2' : ''}` });
      expect(result).toMatchObject({ outcome: 'output_limit', [`${stream}Truncated`]: true });
      expect(result[stream]).toHaveLength(1024 * 1024);
    });
  });

  describe('what a hostile program leaves is named by its kind and never followed', () => {
    it('probe 56: links out, to a directory, up and in a loop', async () => {
      const code =
        'ln -s /etc/shadow file; ln -s / dir; ln -s ../../../etc up; ln -s loop loop; ln -s dir/etc/passwd chain';
      const result = await runIn(open(), { code });
      expect(result.files).toEqual([]);
      expect(result.skipped).toEqual(
        ['chain', 'dir', 'file', 'loop', 'up'].map((path) => ({ path, reason: 'symlink' })),
      );
    });

    it('probe 57: FIFO and socket; a device cannot be made', async () => {
      const code =
        "import os, socket, stat, errno\nos.mkfifo('fifo'); socket.socket(socket.AF_UNIX).bind('sock')\ntry: os.mknod('device', stat.S_IFCHR | 0o666, os.makedev(1, 3))\nexcept OSError as e: print(errno.errorcode[e.errno])";
      const result = await runIn(open(), { language: 'python', code });
      expect(result).toMatchObject({ stdout: 'EPERM\n', files: [] });
      expect(result.skipped).toEqual([
        { path: 'fifo', reason: 'fifo' },
        { path: 'sock', reason: 'socket' },
      ]);
    });

    it('probe 58: sparse, set-uid and unreadable files', async () => {
      const code =
        "import os\nopen('sparse', 'w').truncate(50 * 2**20)\nfor name, mode in (('setuid', 0o6755), ('locked', 0)): open(name, 'w').write(name); os.chmod(name, mode)";
      const result = await runIn(open(), { language: 'python', code });
      expect(result.files.map(({ path, mode, content }) => [path, mode, Buffer.from(content).toString()])).toEqual([
        ['locked', 0o644, 'locked'],
        ['setuid', 0o755, 'setuid'],
      ]);
      expect(result.skipped).toEqual([{ path: 'sparse', reason: 'too_large' }]);
    });

    it('probe 59: two thousand files', async () => {
      const result = await runIn(open(), {
        language: 'python',
        code: "import os\nos.mkdir('many')\nfor i in range(2000): open('many/%04d' % i, 'w').write('x')",
      });
      expect(result.files).toHaveLength(256);
      expect(result.skipped).toHaveLength(256);
      expect(new Set(result.skipped.map(({ reason }) => reason))).toEqual(new Set(['too_many']));
    });
  });

  it('probe 63: two programs at once share nothing', async () => {
    const code =
      "import socket,time,os\nopen('/tmp/mine','w'); open('/dev/shm/mine','w'); s=socket.socket(socket.AF_UNIX); s.bind('\\0bravo-side'); s.listen(); t=socket.socket(); t.bind(('127.0.0.1',4444)); t.listen(); time.sleep(1.2)";
    const other =
      "import socket,os,time\ntime.sleep(0.4)\nfor a,f in (('\\0bravo-side',socket.AF_UNIX),(('127.0.0.1',4444),socket.AF_INET)):\n try: socket.socket(f).connect(a); print('reached')\n except OSError as e: print(e.errno)\nprint(os.listdir('/tmp'), os.listdir('/dev/shm'), len([p for p in os.listdir('/proc') if p.isdigit()]))";
    const [first, second] = await Promise.all([
      runIn(open(), { language: 'python', code }),
      runIn(open(), { language: 'python', code: other }),
    ]);
    expect(first).toMatchObject({ outcome: 'ok', exitCode: 0 });
    expect(second.stdout).toBe('111\n111\n[] [] 2\n');
  });
};
