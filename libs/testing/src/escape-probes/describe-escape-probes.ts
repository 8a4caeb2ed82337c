/**
 * The escape probes as tests, for any place that contains a program: sandbox, toolbox, agent pod. One run of `probes.py`
 * asks everything; each row is a test of its own with the exact answer.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { probeRows, type ProbePlace } from './probe-rows.ts';

/** The Python program. It needs the variables of `openProbedHost` and prints one JSON object. */
export const probeProgram = (): string => readFileSync(new URL('./probes.py', import.meta.url), 'utf8');

export interface ProbedHost {
  /** What the program must have in its environment to know what to reach for. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

const listening = (server: Server, where: number | string): Promise<void> =>
  new Promise((resolve) =>
    typeof where === 'number' ? server.listen(where, '::', resolve) : server.listen(where, resolve),
  );

/** Things of the host that are really there, so that a refusal says something: a TCP listener, an abstract socket, a file, a process. */
export const openProbedHost = async (): Promise<ProbedHost> => {
  const directory = mkdtempSync(join(tmpdir(), 'bravo-host-'));
  const secret = join(directory, 'secret');
  writeFileSync(secret, 'host secret');
  const name = `bravo-probe-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const listener = createServer((socket) => socket.destroy());
  const abstract = createServer((socket) => socket.destroy());
  await listening(listener, 0);
  await listening(abstract, `\0${name}`);
  return {
    env: {
      HOST_PORT: String((listener.address() as { port: number }).port),
      HOST_SOCKET: name,
      HOST_FILE: secret,
      HOST_PID: String(process.pid),
    },
    close: () => {
      listener.close();
      abstract.close();
      rmSync(directory, { recursive: true });
    },
  };
};

export interface ContainedPlace extends ProbePlace {
  /** Runs the Python program in the place and resolves with what it printed on standard output. */
  run(code: string, env: Readonly<Record<string, string>>): Promise<string>;
  /** Rows whose answer is rightly another one here, by number. */
  readonly differs?: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
  /** Mounts beside /workspace, /tmp, /dev and /dev/shm that may be written. */
  readonly writable?: readonly string[];
}

export const describeEscapeProbes = (place: ContainedPlace): void => {
  describe('a hostile program gets the exact refusal', () => {
    let answers: Record<string, unknown>;
    let host: ProbedHost;
    beforeAll(async () => {
      host = await openProbedHost();
      answers = JSON.parse(await place.run(probeProgram(), host.env)) as Record<string, unknown>;
    }, 60_000);
    afterAll(() => host.close());

    it.each(probeRows(place).map((each) => [each.row, each.tries, each.expected] as const))(
      'probe %i: %s',
      (row, _, expected) => {
        expect(answers[row]).toEqual(place.differs?.[row] ?? expected);
      },
    );

    it('for every other call that is not for programs', () => {
      const refused = ['EPERM', 'EPERM', 'EPERM', 'EPERM', 'EPERM', 'EPERM'];
      expect(Object.values(answers['calls beside'] as object)).toEqual(refused);
    });

    it('for every file of the host, and what it may write has no devices and no set-uid', () => {
      const mounts = answers['mounts that may be written'] as Record<string, string[]>;
      const own = ['/workspace', '/tmp', '/dev', ...(place.writable ?? [])];
      const ofHost = (path: string) => !own.some((each) => each.startsWith(`${path}/`));
      expect((answers['host files'] as string[]).filter(ofHost)).toEqual([]);
      expect(Object.keys(mounts).filter((path) => !own.includes(path))).toEqual([]);
      for (const [path, options] of Object.entries(mounts)) {
        // /dev of the runtime is small, belongs to nobody inside and holds the bound devices.
        if (path !== '/dev') expect({ path, options }).toEqual({ path, options: ['nodev', 'nosuid'] });
      }
    });
  });
};
