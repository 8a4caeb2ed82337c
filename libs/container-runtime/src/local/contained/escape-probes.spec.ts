/** The escape probes of the sandbox from an agent pod's place, under each OCI runtime: the same rows, each with the exact answer there. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEscapeProbes } from '@bravo/testing/escape-probes/describe-escape-probes';
import { describeExhaustionProbes } from '@bravo/testing/escape-probes/describe-exhaustion-probes';
import { pythonBinds, pythonIsThere, RUN_PYTHON } from '@bravo/testing/escape-probes/run-python';
import type { Container, ContainerRuntime, ContainerSpec } from '../../container-runtime.port.ts';
import { untilServing } from '../../container-runtime.contract.ts';
import { openLocalContainerRuntime } from '../index.ts';

const runtimes = (
  [
    ['crun', 'EPERM'],
    ['runc', 'ENOSYS'],
  ] as const
).filter(([name]) => spawnSync(name, ['--version']).status === 0);
const able = process.getuid?.() === 0 && runtimes.length > 0 && pythonIsThere();
const node = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;

/** Takes `{ code, env }` by POST where the pod would serve; what its own standard output says is one line per 'flood'. */
const PROGRAM = `${RUN_PYTHON}
require('node:http').createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', async () => {
    if (request.url === '/flood') for (let n = 0; n < 64; n += 1) process.stdout.write('x'.repeat(1 << 20));
    response.end(request.url === '/flood' ? '{}' : JSON.stringify(await runPython(JSON.parse(body))));
  });
}).listen(Number(process.env.LISTEN_PORT), process.env.LISTEN_HOST);
`;

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

const run = async (pod: Container, code: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> => {
  const { host, port } = pod.endpoint ?? { host: '', port: 0 };
  const response = await fetch(`http://${host}:${port}/`, { method: 'POST', body: JSON.stringify({ code, env }) });
  return (await response.json()) as Ran;
};
const printed = async (pod: Container, code: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { stdout, stderr, code: exitCode } = await run(pod, code, env);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
};

(able ? describe : describe.skip)('the escape probes from a pod', () => {
  describe.each(runtimes)('under %s [pod.contained] [sandbox.probes]', (ociRuntime, newCalls) => {
    let home: string;
    let runtime: ContainerRuntime;
    let pod: Container;
    const spec = (name: string): ContainerSpec => ({
      name,
      labels: {},
      command: [node, '-e', PROGRAM],
      env: {},
      secret: { value: '', sourceVariable: 'SECRET_SOURCE' },
      listen: { hostVariable: 'LISTEN_HOST', portVariable: 'LISTEN_PORT' },
      reaches: [],
      memoryLimitBytes: 256 * 1024 * 1024,
    });
    const open = async (name: string): Promise<Container> => {
      await runtime.spawn(spec(name));
      return untilServing(runtime, name);
    };

    beforeAll(async () => {
      home = mkdtempSync(path.join(tmpdir(), 'bravo-probed-'));
      chmodSync(home, 0o711);
      const seccompProfile = fileURLToPath(
        new URL('../../../../../deploy/seccomp/bravo-sandbox.json', import.meta.url),
      );
      runtime = await openLocalContainerRuntime({
        owner: 'probing',
        directory: home,
        uids: { first: 62_300, count: 50 },
        claimsDirectory: path.join(home, 'claims'),
        containment: { ociRuntime, seccompProfile, binds: pythonBinds() },
        node,
      });
      pod = await open('probed');
    }, 60_000);
    afterAll(async () => {
      await runtime.close();
      rmSync(home, { recursive: true, force: true });
    });

    describeEscapeProbes({
      newCalls,
      id: 1000,
      run: (code, env) => printed(pod, code, env),
      writable: ['/home/agent'],
      // Its root holds less than a program's: where nothing is, nothing can be made either.
      differs: {
        38: {
          '/': 'EROFS',
          '/usr': 'EROFS',
          '/usr/bin': 'EROFS',
          '/etc': 'EROFS',
          '/var/tmp': 'ENOENT',
          '/run': 'EROFS',
          '/opt': 'EROFS',
          '/dev': 'EACCES',
          '/proc': 'ENOENT',
          '/root': 'ENOENT',
        },
      },
    });

    describeExhaustionProbes({
      run: (code) => printed(pod, code),
      // An inode of each is its root's.
      room: {
        '/home/agent': { mib: 64, files: 4095 },
        '/tmp': { mib: 16, files: 1023 },
        '/dev/shm': { mib: 1, files: 63 },
      },
      fileMib: 64,
      descriptors: 1024,
      processes: [200, 255],
    });

    it('probe 54: memory: what goes over is killed, and counted to nobody else', async () => {
      const hungry = await open('hungry');
      const answer = await run(hungry, "x = b'a' * (400 * 2**20)").catch(() => 'the pod is gone');
      if (answer !== 'the pod is gone') expect(answer).toMatchObject({ code: null, signal: 'SIGKILL', stdout: '' });
      expect(await printed(pod, 'print(1)')).toBe('1\n');
      await runtime.stop('hungry', { graceMs: 0 });
    });

    it('probe 55: output: a flood is read away, and 8 KiB of it are kept', async () => {
      const loud = await open('loud');
      const { host, port } = loud.endpoint ?? { host: '', port: 0 };
      await (await fetch(`http://${host}:${port}/flood`, { method: 'POST', body: '{}' })).text();
      await runtime.stop('loud', { graceMs: 0 });
      await runtime.spawn({ ...spec('last'), command: [node, '-e', "process.stdout.write('y'.repeat(1 << 20))"] });
      expect((await runtime.waitExit('last')).tail).toBe('y'.repeat(8_192));
      await runtime.stop('last');
    });

    it('probe 63: two pods at once share nothing', async () => {
      const other = await open('other');
      const listening = run(
        pod,
        "import socket, time\nopen('/tmp/mine', 'w'); open('/dev/shm/mine', 'w')\ns = socket.socket(socket.AF_UNIX); s.bind('\\0bravo-side'); s.listen()\nt = socket.socket(); t.bind(('127.0.0.1', 4444)); t.listen()\nopen('/tmp/listening', 'w')\nwhile __import__('os').path.exists('/tmp/listening'): time.sleep(0.05)",
      );
      while ((await printed(pod, "import os\nprint(os.path.exists('/tmp/listening'))")) === 'False\n');
      const told = await printed(
        other,
        "import os, socket\nfor a, f in (('\\0bravo-side', socket.AF_UNIX), (('127.0.0.1', 4444), socket.AF_INET)):\n  try: socket.socket(f).connect(a); print('reached')\n  except OSError as e: print(e.errno)\nprint(os.listdir('/tmp'), os.listdir('/dev/shm'), max(int(p) for p in os.listdir('/proc') if p.isdigit()) < 100)",
      );
      expect(told).toBe('111\n111\n[] [] True\n');
      await printed(pod, "import os\nos.remove('/tmp/listening')");
      expect(await listening).toMatchObject({ code: 0 });
      await runtime.stop('other', { graceMs: 0 });
    });
  });
});
