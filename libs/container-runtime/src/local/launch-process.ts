/** Starts a container as a plain child process: with a user of its own where that can be had, and nothing of our environment. It shares the host's network and files. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { ContainerSpec } from '../container-runtime.port.ts';
import type { Launched } from './launched.ts';
import { accepts, chooseFreePort } from './ports.ts';
import { PRLIMIT, SETPRIV } from './preconditions.ts';
import { listenerUid } from './process-table.ts';

const MAX_PROCESSES = 512;

/** @param uid the user it gets; undefined where it shares ours. */
export const launchProcess = async (
  spec: ContainerSpec,
  directory: string,
  uid: number | undefined,
): Promise<Launched> => {
  const port = await chooseFreePort();
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: directory,
    TMPDIR: directory,
    ...spec.env,
    [spec.listen.hostVariable]: '127.0.0.1',
    [spec.listen.portVariable]: String(port),
    [spec.secret.sourceVariable]: 'fd:3',
    BRAVO_CONTAINER: spec.name,
  };
  const confine = [PRLIMIT, `--nproc=${MAX_PROCESSES}`, '--core=0', SETPRIV, '--no-new-privs', '--pdeathsig', 'KILL'];
  const [program, ...args] = (uid === undefined ? spec.command : [...confine, ...spec.command]) as [string];
  const child = spawn(program, args, {
    cwd: directory,
    env,
    // A group of its own, so that a signal reaches the tree and never us.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return {
    child,
    port,
    serves: async () => (await accepts(port)) && listenerUid(port) === (uid ?? process.getuid?.()),
    connect: () => Promise.resolve(connect({ port, host: '127.0.0.1' })),
    terminate: () => {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // The group ended by itself in the meantime.
      }
    },
    ranOutOfMemory: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
};
