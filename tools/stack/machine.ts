/** What this machine can and cannot do for us, said in sentences with the remedy; it never installs anything unasked-for by `up`. */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const systemDirectories = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Looked for where the services look, not on a person's own PATH. */
export const systemProgram = (name: string): string | undefined =>
  systemDirectories
    .map((directory) => path.join(directory, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

/** Debian packages the stack needs and the program that shows each is there. */
const packages = [
  { program: 'crun', debian: 'crun', why: 'runs programs in a sandbox' },
  { program: 'python3', debian: 'python3', why: "the sandbox's Python" },
] as const;

/** crun, or runc in its place. */
const ociRuntime = (): string | undefined => systemProgram('crun') ?? systemProgram('runc');

export const missingPackages = (): (typeof packages)[number][] =>
  packages.filter(({ program }) =>
    program === 'crun' ? ociRuntime() === undefined : systemProgram(program) === undefined,
  );

/** Root only. Returns a sentence per package that could not be installed. */
export const installPackages = async (names: readonly string[]): Promise<string | undefined> => {
  if (!existsSync('/usr/bin/apt-get')) return `there is no apt-get here; install ${names.join(' and ')} yourself`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const install = () =>
    run('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env, maxBuffer: 64 * 1024 * 1024 });
  try {
    await install().catch(async () => {
      await run('apt-get', ['update'], { env, maxBuffer: 64 * 1024 * 1024 });
      await install();
    });
    return undefined;
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? (error as Error).message).trim();
    return `apt-get could not install ${names.join(' and ')}: ${said.split('\n').at(-1) ?? ''}`;
  }
};

/** D31: what stays off on this machine and what would switch it on. Empty when nothing is missing. */
export const restrictions = (insecurePods: boolean): string[] => {
  const found: string[] = [];
  if (!isRoot()) {
    found.push('Programs cannot run: the sandbox needs root. Run "./bravo up" as root to have code execution.');
    found.push(
      insecurePods
        ? 'Agent pods run as your own user (--insecure-pods): an agent could read your files. Use it for trying out only.'
        : 'Agent pods are refused: containing them needs root. Run as root, or accept the risk with "./bravo up --insecure-pods".',
    );
  } else if (ociRuntime() === undefined) {
    found.push(
      'Programs cannot run: neither crun nor runc is installed. Install one ("apt-get install crun") and start again.',
    );
    found.push(
      insecurePods
        ? "Agent pods are not contained (--insecure-pods): an agent shares this machine's network. Use it for trying out only."
        : 'Agent pods are refused: crun or runc contains them and neither is installed. Install crun, or accept the risk with "./bravo up --insecure-pods".',
    );
  }
  if (systemProgram('python3') === undefined) {
    found.push('Python programs cannot run: there is no python3 in /usr/bin. Install it and start again.');
  }
  return found;
};
