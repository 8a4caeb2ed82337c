/** The two OCI runtimes we know: how each is found, and how each is told to leave a container in the cgroup we put it into. */
import { readFile } from 'node:fs/promises';
import type { CgroupLeaf } from './cgroup-leaf.ts';
import type { FoundCgroups } from './find-cgroups.ts';
import { runCommand } from './run-command.ts';

export interface OciRuntime {
  /** Name or path of the program. */
  readonly program: string;
  readonly kind: 'crun' | 'runc';
  /** As the program says it. */
  readonly version: string;
}

const USUAL = 'crun';
const STANDS_IN = 'runc';

/**
 * The usual one, named without a path, may be missing: then runc stands in with the same bundles.
 * Throws for a program that cannot be started and for one that is neither.
 */
export const findRuntime = async (program: string): Promise<OciRuntime> => {
  try {
    return await nameRuntime(program);
  } catch (error) {
    if (program !== USUAL) throw error;
    return nameRuntime(STANDS_IN).catch(() => {
      throw error;
    });
  }
};

const nameRuntime = async (program: string): Promise<OciRuntime> => {
  const [version = ''] = (await runCommand(program, ['--version'])).split('\n');
  const kind = (['crun', 'runc'] as const).find((name) => version.startsWith(`${name} version`));
  if (kind === undefined) throw new Error(`it calls itself "${version}", and only crun and runc are known`);
  return { program, kind, version };
};

/**
 * Cgroup mounts the runtime must not see. crun refuses to start beside an extra version 2 hierarchy. runc always makes a group
 * of its own below ours, whose out-of-memory count would be gone with it; it needs to see devices, and can make it there.
 */
export const mountsToHide = async (runtime: OciRuntime, { tree, hybrid }: FoundCgroups): Promise<string[]> => [
  ...(hybrid === undefined ? [] : [hybrid]),
  ...(runtime.kind === 'runc' && tree.kind === 'v1' ? await controllersBesideDevices() : []),
];

const controllersBesideDevices = async (): Promise<string[]> => {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  return lines
    .filter((line) => / - cgroup /.test(line) && !/\bdevices\b/.test(line.split(' - ')[1] ?? ''))
    .map((line) => line.split(' ')[4] ?? '');
};

/** Shell lines of a process in a mount namespace of its own, before it becomes the runtime: into the leaf, and out of sight with the rest. */
export const scriptBefore = (leaf: CgroupLeaf, hidden: readonly string[]): string[] => [
  ...(leaf.joinScript === '' ? [] : [leaf.joinScript]),
  ...hidden.map((path) => `umount -l ${path} || exit 125`),
];

/** The runtime's own words for running a bundle. @param more options of `run`. */
export const runWords = (
  runtime: OciRuntime,
  leaf: CgroupLeaf,
  where: { readonly state: string; readonly log?: string; readonly bundle: string; readonly name: string },
  ...more: string[]
): string[] => [
  ...[runtime.program, '--root', where.state],
  ...(where.log === undefined ? [] : ['--log', where.log]),
  ...(runtime.kind === 'crun' ? [leaf.managerOption] : []),
  ...['run', ...more, '-b', where.bundle, where.name],
];
