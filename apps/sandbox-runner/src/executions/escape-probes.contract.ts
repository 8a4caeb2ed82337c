/** The escape probes every backend must withstand: what a hostile program tries, and what the kernel must answer. */
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxBackend } from './sandbox-backend.port.ts';
import { runIn } from './run-in.fixture.ts';

interface Answers {
  readonly calls: Record<string, string>;
  readonly sockets: string[];
  readonly entries: Record<string, string>;
  readonly network: Record<string, string>;
  readonly interfaces: string[];
  readonly dns: string;
  readonly create: Record<string, string>;
  readonly present: string[];
  readonly masked: Record<string, number | string>;
  readonly write: Record<string, string>;
  readonly pids: number[];
  readonly 'init environment': string[];
  readonly descriptors: number[];
  readonly status: Record<string, string>;
  readonly ids: [number, number, number, number[]];
  readonly mounts: Record<string, string[]>;
  readonly terminal: (boolean | string)[];
  readonly [rest: string]: unknown;
}

/** Where the kernel answers before or instead of the filter, and refuses as well. */
const OTHER_REFUSALS: Readonly<Record<string, readonly string[]>> = {
  clone3: ['ENOSYS'],
  nice: ['EPERM', 'EACCES'],
};

export const describeEscapeProbes = (open: () => SandboxBackend): void => {
  describe('a hostile program', () => {
    let answers: Answers;
    let listener: Server;
    let abstract: Server;
    let directory: string;

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'bravo-host-'));
      writeFileSync(join(directory, 'secret'), 'host secret');
      const name = `bravo-probe-${process.pid}`;
      listener = createServer((socket) => socket.destroy());
      abstract = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
      await new Promise<void>((resolve) => abstract.listen(`\0${name}`, resolve));
      const result = await runIn(open(), {
        language: 'python',
        code: readFileSync(new URL('./escape-probes.py', import.meta.url), 'utf8'),
        env: {
          HOST_PORT: String((listener.address() as { port: number }).port),
          HOST_SOCKET: name,
          HOST_FILE: join(directory, 'secret'),
          HOST_PID: String(process.pid),
        },
      });
      expect({ outcome: result.outcome, stderr: result.stderr }).toEqual({ outcome: 'ok', stderr: '' });
      answers = JSON.parse(result.stdout) as Answers;
    });

    afterAll(() => {
      listener.close();
      abstract.close();
      rmSync(directory, { recursive: true });
    });

    it('is refused every system call that is not for programs', () => {
      const let_through = Object.entries(answers.calls).filter(
        ([name, answer]) => !(OTHER_REFUSALS[name] ?? ['EPERM']).includes(answer),
      );
      expect(let_through).toEqual([]);
      expect(Object.keys(answers.calls).length).toBeGreaterThan(65);
    });

    it('makes Unix, TCP and UDP sockets and no others, whatever the high bits say', () => {
      expect(answers.sockets).toEqual(['1 0', '1 17', '1 6', '10 0', '10 17', '10 6', '2 0', '2 17', '2 6']);
    });

    it('dies at the entry points of other architectures', () => {
      expect(answers.entries).toEqual({ int80: 'SIGSYS', x32: 'SIGSYS' });
    });

    it('reaches no network, not even the loopback or sockets of the host', () => {
      expect(answers.interfaces).toEqual(['lo']);
      expect(answers.network).toEqual({
        'host loopback': 'ECONNREFUSED',
        'host loopback v6': 'ECONNREFUSED',
        metadata: 'ENETUNREACH',
        internet: 'ENETUNREACH',
        cluster: 'ENETUNREACH',
        'metadata v6': 'ENETUNREACH',
        'host abstract socket': 'ECONNREFUSED',
        docker: 'ENOENT',
      });
      expect(answers.dns).toBe('refused');
    });

    it('sees no file of the host but its programs, and writes to none', () => {
      expect(answers.present).toEqual([]);
      for (const answer of Object.values(answers.create)) expect(['EROFS', 'EACCES', 'ENOENT']).toContain(answer);
      for (const answer of Object.values(answers.write))
        expect(['EROFS', 'EACCES', 'ENOENT', 'EPERM', 'ETXTBSY']).toContain(answer);
      for (const answer of Object.values(answers.masked)) expect([0, 'ENOENT', 'EACCES', 'EPERM']).toContain(answer);
      for (const [path, options] of Object.entries(answers.mounts)) {
        // Devices are bound one by one, and proc has none; the root holds no programs of its own.
        if (path === '/' || path.startsWith('/dev') || path.startsWith('/proc')) continue;
        expect({ path, options }).toEqual({ path, options: expect.arrayContaining(['nosuid', 'nodev']) });
      }
    });

    it('has no privilege and can gain none', () => {
      expect(answers.ids).toEqual([1000, 1000, 1000, []]);
      const none = '0000000000000000';
      expect(answers.status).toEqual({
        CapEff: none,
        CapBnd: none,
        CapPrm: none,
        CapAmb: none,
        NoNewPrivs: '1',
        Seccomp: '2',
      });
      expect(answers['lower oom']).toBe('EACCES');
      expect(answers['uid map']).not.toBe('ok');
      expect(answers['realtime']).toBe('EPERM');
      expect(answers['raise limit']).toBe('refused');
      expect(answers['core limit']).toEqual([0, 0]);
    });

    it('sees and reaches its own processes only, and inherits nothing', () => {
      expect(Math.max(...answers.pids)).toBeLessThan(20);
      expect(answers['kill outside']).toBe('ESRCH');
      expect(answers['shadow through init']).not.toBe('ok');
      expect(answers['init environment']).toEqual(
        expect.not.arrayContaining(['BRAVO_DATABASE_URL', 'NODE_OPTIONS', 'USER', 'JEST_WORKER_ID']),
      );
      expect(answers.descriptors).toEqual([0, 1, 2]);
      expect(answers.terminal).toEqual([false, false, false, 'ENXIO']);
    });
  });
};
