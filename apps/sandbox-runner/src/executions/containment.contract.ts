/** Rows 1 to 59 and 63 of the escape probes, for every SandboxBackend; 60 and 61 are of its ends, 62 of its waiting interpreters. */
import { describe, expect, it } from '@jest/globals';
import { describeEscapeProbes } from '@bravo/testing/escape-probes/describe-escape-probes';
import { describeExhaustionProbes } from '@bravo/testing/escape-probes/describe-exhaustion-probes';
import type { ProbePlace } from '@bravo/testing/escape-probes/probe-rows';
import { told } from '@bravo/testing/escape-probes/told';
import { runIn } from './run-in.fixture.ts';
import type { SandboxBackend } from './sandbox-backend.port.ts';

export const describeContainment = (open: () => SandboxBackend, place: ProbePlace): void => {
  describeEscapeProbes({
    ...place,
    run: async (code, env) => {
      const result = await runIn(open(), { language: 'python', code, env });
      expect({ outcome: result.outcome, stderr: result.stderr }).toEqual({ outcome: 'ok', stderr: '' });
      return result.stdout;
    },
  });

  describeExhaustionProbes({
    run: async (code) => {
      const result = await runIn(open(), { language: 'python', code, limits: { memoryMb: 512 } });
      expect({ outcome: result.outcome, stderr: result.stderr }).toEqual({ outcome: 'ok', stderr: '' });
      return result.stdout;
    },
    // An inode is the root's, and one more of /workspace is the script's.
    room: {
      '/workspace': { mib: 64, files: 4094 },
      '/tmp': { mib: 16, files: 1023 },
      '/dev/shm': { mib: 8, files: 255 },
    },
    fileMib: 64,
    descriptors: 256,
    processes: [50, 63],
  });

  describe('what a program exhausts, seen from outside', () => {
    it('probe 50: names that are none come out by their kind', async () => {
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

    it('probe 51: directories two thousand deep are walked no further than they may be', async () => {
      const code =
        "import os\nfor _ in range(2000): os.mkdir('d'); os.chdir('d')\nopen('f', 'w').write('x')\nprint('dug')";
      const result = await runIn(open(), { language: 'python', code });
      expect(result).toMatchObject({ outcome: 'ok', stdout: 'dug\n', files: [] });
      expect(result.skipped).toEqual([{ path: Array(17).fill('d').join('/'), reason: 'directory_too_deep' }]);
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
