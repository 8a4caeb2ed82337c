/** Every mount the runner makes: sized, without devices and set-uid, and found again by its path so that none is left behind. */
import { readFile, writeFile } from 'node:fs/promises';
import { QUOTAS } from './bundle-config.ts';
import { runCommand } from './run-command.ts';

/** Binds one file read-only where nothing is mounted yet. */
export const bindReadOnly = async (source: string, target: string): Promise<void> => {
  await writeFile(target, '', { mode: 0o755 });
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
  readonly log: string;
}

const PREPARE_RUN = `set -e
mount -t tmpfs -o "size=$3,nr_inodes=$4,nosuid,nodev,mode=0700,uid=$5,gid=$5" bravo-sandbox "$1"
mount --bind "$1" "$2"
mount -o remount,bind,ro,nosuid,nodev,noexec,nosymfollow "$2"
mkfifo -m 0600 "$6" "$7"
chown "$5:$5" "$6" "$7"`;

/**
 * One quota-bound filesystem seen twice: `inside` for the program, `view` for the harvest. (One mount that follows no
 * links would break links inside too.) One shell for all of it, because each start of a process costs milliseconds.
 */
export const mountWorkspace = (paths: RunPaths, owner: number): Promise<string> =>
  runCommand('/bin/sh', [
    '-c',
    PREPARE_RUN,
    'sh',
    paths.inside,
    paths.view,
    String(QUOTAS.workspaceBytes),
    String(QUOTAS.workspaceInodes),
    String(owner),
    paths.stdout,
    paths.stderr,
  ]);

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
