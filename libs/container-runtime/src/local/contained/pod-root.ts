/** The read-only root of contained pods: one Node, the libraries it is linked to, the pod's program, an /etc of ours, and nothing else of the host. */
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HostBind } from '../../oci/index.ts';
import { assertReachable } from '../preconditions.ts';

const run = promisify(execFile);

/** Who the program is inside. */
export const INSIDE_ID = 1000;
export const INSIDE_HOME = '/home/agent';
export const INSIDE_WAYS = '/run/bravo';
/** Where a container that has a writable directory finds it. */
export const INSIDE_VOLUME = '/volume';
const INSIDE_NODE = '/opt/node/bin/node';
const INSIDE_PROGRAMS = '/opt/pod';

export interface PodRoot {
  readonly directory: string;
  readonly binds: readonly HostBind[];
  /** The command as it is called inside, behind the gate. */
  readonly command: readonly string[];
  /** What the command asks of Node itself, as `--name=value`: the gate's, which runs the program in its own process, so that a pod has one heap. */
  readonly nodeOptions: readonly string[];
}

const DIRECTORIES = [
  'dev',
  'dev/shm',
  'etc',
  'proc',
  'tmp',
  INSIDE_HOME,
  INSIDE_WAYS,
  INSIDE_VOLUME,
  '/opt/node/bin',
  INSIDE_PROGRAMS,
];

const etc = (names: readonly string[]): Readonly<Record<string, string>> => ({
  passwd: `root:x:0:0:root:/:/bin/false\nagent:x:${INSIDE_ID}:${INSIDE_ID}:agent:${INSIDE_HOME}:/bin/false\n`,
  group: `root:x:0:\nagent:x:${INSIDE_ID}:\n`,
  hosts: `127.0.0.1 ${['localhost', 'pod', ...names].join(' ')}\n`,
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  'resolv.conf': '',
});

/** What the loader would map for a program we were given to run: its libraries and the loader itself. */
const librariesOf = async (program: string): Promise<string[]> => {
  const { stdout } = await run('ldd', [program], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
  return stdout.split('\n').flatMap((line) => /(\/\S+) \(0x[0-9a-f]+\)$/.exec(line)?.[1] ?? []);
};

/**
 * Makes the root for one command below `parent`; the same command finds it there again.
 * @param names host names that lead to the pod's own loopback, where its ways out begin.
 */
export const preparePodRoot = async (
  parent: string,
  command: readonly string[],
  names: readonly string[],
  more: readonly HostBind[] = [],
): Promise<PodRoot> => {
  const [program = '', ...rest] = command;
  const at = rest.findIndex((arg) => !/^--[^=]+=/.test(arg));
  const [nodeOptions, args] = at < 0 ? [[], rest] : [rest.slice(0, at), rest.slice(at)];
  const node = await realpath(program);
  const gate = fileURLToPath(new URL('./pod-gate.mjs', import.meta.url));
  const binds: HostBind[] = [{ source: node, destination: INSIDE_NODE }];
  for (const library of await librariesOf(node)) binds.push({ source: await realpath(library), destination: library });
  const share = async (file: string): Promise<string> => {
    const source = await realpath(file);
    const destination = path.join(INSIDE_PROGRAMS, path.basename(source));
    if (!binds.some((bind) => bind.destination === destination)) binds.push({ source, destination });
    return destination;
  };
  const inside = [];
  for (const arg of args) inside.push(path.isAbsolute(arg) ? await share(arg) : arg);
  binds.push(...more);
  const digest = createHash('sha256')
    .update(JSON.stringify([binds, names]))
    .digest('hex')
    .slice(0, 16);
  const directory = path.join(parent, digest);
  for (const { source } of binds) await assertReachable(source, 'A file of the pods');
  const gateCopy = path.join(directory, INSIDE_PROGRAMS, 'gate.mjs');
  await makeRoot(directory, binds, names);
  await writeOpen(gateCopy, await readFile(gate, 'utf8'));
  return {
    directory,
    binds,
    command: [INSIDE_NODE, path.join(INSIDE_PROGRAMS, 'gate.mjs'), INSIDE_NODE, ...inside],
    nodeOptions,
  };
};

const writeOpen = async (file: string, text: string): Promise<void> => {
  await writeFile(file, text);
  await chmod(file, 0o644);
};

const openDirectory = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
};

const makeRoot = async (directory: string, binds: readonly HostBind[], names: readonly string[]): Promise<void> => {
  await openDirectory(directory);
  for (const name of DIRECTORIES) await openDirectory(path.join(directory, name));
  for (const parent of ['home', 'run', 'opt', 'opt/node']) await chmod(path.join(directory, parent), 0o755);
  // runc gives what is mounted over a directory the mode of that directory, whatever the mount asks for.
  await chmod(path.join(directory, 'tmp'), 0o1777);
  await chmod(path.join(directory, INSIDE_HOME), 0o700);
  for (const [name, text] of Object.entries(etc(names))) await writeOpen(path.join(directory, 'etc', name), text);
  for (const { source, destination } of binds) {
    const point = path.join(directory, destination);
    for (let parent = path.dirname(point); parent !== directory; parent = path.dirname(parent))
      await openDirectory(parent);
    if ((await stat(source)).isDirectory()) await openDirectory(point);
    else await writeOpen(point, '');
  }
};
