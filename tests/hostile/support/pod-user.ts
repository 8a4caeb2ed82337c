/** What a program that has the user of a real pod, and nothing else of it, can get of this machine. */
import type { Platform } from '@bravo/testing';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Attempts } from './attempts.ts';

/** What a program with the pod's user gets of a command: the exit code and what it printed. */
const asPodUser = async (uid: string, command: readonly string[]): Promise<{ code: number; output: string }> => {
  const privileges = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
  try {
    const { stdout, stderr } = await promisify(execFile)('setpriv', [...privileges, ...command], { timeout: 15_000 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : -1, output: stdout + stderr };
  }
};

const uidOf = (pid: number | undefined): string => /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';

/** Nothing is tried where pods have no users of their own. */
export const tryAsPodUser = async (attempts: Attempts, platform: Platform, personToken: string): Promise<void> => {
  const pids = await platform.podPids();
  const uid = uidOf(pids[0]);
  if (process.getuid?.() !== 0 || uid === '0') return;
  const state = JSON.parse(readFileSync(path.join(platform.home, 'state.json'), 'utf8')) as { processes: { name: string; pid: number }[] };
  const service = state.processes.find(({ name }) => name === 'tool-broker')?.pid;
  const neighbour = pids.find((pid) => uidOf(pid) !== uid);
  const curl = ['curl', '-sf', '-m', '5'];
  for (const [attempt, command] of [
    ['read the passwords', ['cat', path.join(platform.home, 'secrets.json')]],
    ['read a key', ['cat', path.join(platform.home, 'keys', 'orchestrator.jwk.json')]],
    ['read a log', ['cat', path.join(platform.home, 'logs', 'tool-broker.log')]],
    ["read the broker's environment", ['cat', `/proc/${service}/environ`]],
    ["read the broker's memory", ['head', '-c1', `/proc/${service}/mem`]],
    ['end the broker', ['kill', '-9', String(service)]],
    ["read another pod's environment", ['cat', `/proc/${neighbour}/environ`]],
    ["look into another pod's directory", ['ls', `/proc/${neighbour}/cwd/`]],
    ['end another pod', ['kill', '-9', String(neighbour)]],
    ['sign in as alice', [...curl, '-H', 'content-type: application/json', '-d', '{"name":"alice"}', `${platform.gatewayUrl}/api/v1/sign-in`]],
    ["use alice's own token", [...curl, '-H', `authorization: Bearer ${personToken}`, `${platform.gatewayUrl}/api/v1/me`]],
  ] as const) {
    await attempts.try(`with a pod's user: ${attempt}`, 'an error and no output', async () => {
      const { code, output } = await asPodUser(uid, command);
      return { got: `exit ${code} ${output.replaceAll(platform.home, '…').split('\n')[0]?.slice(0, 70)}`.trim(), held: code > 0 && !/BRAVO_|"d":|csrf|usr_/.test(output) };
    });
  }
};
