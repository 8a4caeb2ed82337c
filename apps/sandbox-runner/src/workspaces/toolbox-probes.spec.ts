/** The escape probes of the sandbox from a toolbox's place, under each OCI runtime: where a parser would be that was fed hostile bytes. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEscapeProbes } from '@bravo/testing/escape-probes/describe-escape-probes';
import { describeExhaustionProbes } from '@bravo/testing/escape-probes/describe-exhaustion-probes';
import { pythonBinds, pythonIsThere, RUN_PYTHON } from '@bravo/testing/escape-probes/run-python';
import { obstacleHere } from '../executions/oci/obstacle.fixture.ts';
import { settingsHere } from '../executions/oci/settings-here.fixture.ts';
import { openContainedToolboxes } from './local/contained-toolboxes.ts';
import type { Toolbox, Toolboxes } from './toolbox.port.ts';

const runtimes = (
  [
    ['crun', 'EPERM'],
    ['runc', 'ENOSYS'],
  ] as const
).filter(([name]) => spawnSync(name, ['--version']).status === 0);
const able = obstacleHere() === '' && pythonIsThere();
// A digest is what a request may carry whatever it likes in, as long as it looks like one.
const DIGEST = '0'.repeat(64);

/** Speaks as a toolbox does: `restore` keeps the bytes as the order, `content` runs it and answers with what came of it. */
const PROGRAM = `${RUN_PYTHON}
const pack = (head, bytes) => {
  const text = Buffer.from(JSON.stringify(head)), length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, bytes]);
};
process.chdir(process.env.TOOLBOX_VOLUME);
let order = {};
require('node:http').createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const message = Buffer.concat(chunks);
    if (request.url === '/restore') order = JSON.parse(message.subarray(4 + message.readUInt32BE(0)));
    const bytes = request.url === '/content' ? Buffer.from(JSON.stringify(await runPython(order))) : Buffer.alloc(0);
    response.end(pack({}, bytes));
  });
}).listen(Number(process.env.TOOLBOX_PORT), process.env.TOOLBOX_HOST);
`;

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

const ENTRY = { area: 'files', path: 'order', kind: 'file', mode: 0o644, modified: 0, size: 0, target: '' } as const;

const run = async (toolbox: Toolbox, code: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> => {
  await toolbox.ask('restore', { ...ENTRY, digest: DIGEST }, Buffer.from(JSON.stringify({ code, env })));
  const { bytes } = await toolbox.ask('content', { area: 'files', path: 'order', digest: DIGEST });
  return JSON.parse(bytes.toString('utf8')) as Ran;
};
const printed = async (toolbox: Toolbox, code: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { stdout, stderr, code: exitCode } = await run(toolbox, code, env);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
};

(able ? describe : describe.skip)('the escape probes from a toolbox', () => {
  describe.each(runtimes)('under %s [workspace.confined] [sandbox.probes]', (ociRuntime, newCalls) => {
    let base: string;
    let toolboxes: Toolboxes;
    let toolbox: Toolbox;

    beforeAll(async () => {
      base = mkdtempSync(join(tmpdir(), 'bravo-probed-'));
      chmodSync(base, 0o755);
      const program = join(base, 'probe.cjs');
      writeFileSync(program, PROGRAM, { mode: 0o644 });
      toolboxes = await openContainedToolboxes({
        ociRuntime,
        seccompProfile: settingsHere('').seccompProfile,
        binds: pythonBinds(),
        directory: join(base, 'toolboxes'),
        node: existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath,
        program,
      });
      toolbox = await toolboxes.open();
    }, 60_000);
    afterAll(async () => {
      await toolboxes.close();
      rmSync(base, { recursive: true, force: true });
    });

    describeEscapeProbes({
      newCalls,
      id: 1000,
      run: (code, env) => printed(toolbox, code, env),
      writable: ['/home/agent', '/volume'],
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
      run: (code) => printed(toolbox, code),
      room: {
        '/volume': { mib: 128, files: 8190 },
        '/home/agent': { mib: 64, files: 4095 },
        '/tmp': { mib: 16, files: 1023 },
        '/dev/shm': { mib: 1, files: 63 },
      },
      fileMib: 64,
      descriptors: 1024,
      processes: [200, 255],
    });

    it('probe 54: memory: what goes over is killed, and no other conversation notices', async () => {
      const hungry = await toolboxes.open();
      const answer = await run(hungry, "x = b'a' * (400 * 2**20)").catch(() => 'the toolbox is gone');
      if (answer !== 'the toolbox is gone') expect(answer).toMatchObject({ signal: 'SIGKILL', stdout: '' });
      expect(await printed(toolbox, 'print(1)')).toBe('1\n');
      await hungry.stop();
    });

    it('probe 55: output: a flood is cut where it is read', async () => {
      const { stdout } = await run(toolbox, "import sys\nfor _ in range(64): sys.stdout.write('x' * 2**20)");
      expect(stdout.length).toBeLessThan(2 ** 21);
    });

    it('probe 61: nothing of it is left when it is stopped, whatever it started', async () => {
      const busy = await toolboxes.open();
      await printed(
        busy,
        "import os\nif os.fork() == 0:\n  os.setsid()\n  os.execv('/usr/bin/python3', ['bravo-left-behind', '-c', 'import time, signal; signal.signal(15, signal.SIG_IGN); time.sleep(600)'])\nprint('up')".replace(
          'os.setsid()',
          'os.setsid(); os.close(1); os.close(2)',
        ),
      );
      await busy.stop();
      expect(spawnSync('pgrep', ['-f', 'bravo-left-behind -c']).stdout.toString()).toBe('');
    });

    it('probe 63: two toolboxes at once share nothing', async () => {
      const other = await toolboxes.open();
      await printed(toolbox, "open('/tmp/mine', 'w'); open('/dev/shm/mine', 'w'); open('/volume/mine', 'w')");
      const told = await printed(
        other,
        "import os\nprint(os.listdir('/tmp'), os.listdir('/dev/shm'), os.listdir('/volume'), max(int(p) for p in os.listdir('/proc') if p.isdigit()) < 100)",
      );
      expect(told).toBe("[] [] ['files'] True\n");
      await other.stop();
    });
  });
});
