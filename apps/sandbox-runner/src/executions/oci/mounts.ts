/** Every mount the runner makes: sized, without devices and set-uid, and found again by its path so that none is left behind. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@bravo/container-runtime/oci';
import { QUOTAS } from './bundle-config.ts';

/** Binds a file or directory read-only over an existing one. */
export const bindReadOnly = async (source: string, target: string): Promise<void> => {
  await runCommand('mount', ['--bind', source, target]);
  await runCommand('mount', ['-o', 'remount,bind,ro,nosuid,nodev', target]);
};

/** Where one run lives on the host. */
export interface RunPaths {
  readonly bundle: string;
  /** The workspace as the program has it. */
  readonly inside: string;
  /** The same filesystem read-only, on which the kernel refuses to follow any link. */
  readonly view: string;
  /** Named pipes. Node's own stdio would be sockets, which a program cannot open again as /dev/stderr. */
  readonly stdout: string;
  readonly stderr: string;
  /** Where the script of a waiting interpreter will come from; in the workspace, under a name no program sees. */
  readonly script: string;
  readonly log: string;
}

export const runPaths = (bundle: string): RunPaths => ({
  bundle,
  inside: join(bundle, 'workspace'),
  view: join(bundle, 'harvest'),
  stdout: join(bundle, 'stdout'),
  stderr: join(bundle, 'stderr'),
  script: join(bundle, 'workspace', '.script'),
  log: join(bundle, 'runtime.log'),
});

const FURNISH = `set -e
mount --all --fstab "$1"
shift
mkfifo -m 0600 "$@"`;

/**
 * One quota-bound filesystem seen twice: `inside` for the program, `view` for the harvest. (One mount that follows no
 * links would break links inside too.) Three short processes in all, because each start costs milliseconds.
 */
export const mountWorkspace = async (paths: RunPaths, owner: number): Promise<void> => {
  const size = `size=${QUOTAS.workspaceBytes},nr_inodes=${QUOTAS.workspaceInodes}`;
  const table = [
    `bravo-sandbox ${paths.inside} tmpfs ${size},nosuid,nodev,mode=0700,uid=${owner},gid=${owner} 0 0`,
    `${paths.inside} ${paths.view} none bind,ro,nosuid,nodev,noexec,nosymfollow 0 0`,
  ];
  const file = join(paths.bundle, 'mounts');
  await writeFile(file, `${table.join('\n')}\n`, { mode: 0o600 });
  await runCommand('/bin/sh', ['-c', FURNISH, 'sh', file, paths.stdout, paths.stderr, paths.script]);
};

export const unmountWorkspace = (paths: RunPaths): Promise<string> => runCommand('umount', [paths.view, paths.inside]);

/** mountinfo writes space, tab, newline and backslash as octal escapes. */
const unescape = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** Mount points at or under a directory, innermost first. */
export const mountsUnder = async (directory: string): Promise<string[]> => {
  const text = await readFile('/proc/self/mountinfo', 'utf8');
  return text
    .split('\n')
    .map((line) => unescape(line.split(' ')[4] ?? ''))
    .filter((path) => path === directory || path.startsWith(`${directory}/`))
    .reverse();
};

export const unmountAllUnder = async (directory: string): Promise<void> => {
  for (const path of await mountsUnder(directory)) await runCommand('umount', ['-l', path]);
};
