/** The two OCI runtimes we know: how each is told to leave the program in the cgroup we put it into. */
import { readFile } from 'node:fs/promises';
import { runCommand } from './run-command.ts';

export interface OciRuntime {
  /** Name or path of the program. */
  readonly program: string;
  readonly kind: 'crun' | 'runc';
  /** As the program says it. */
  readonly version: string;
}

/** Throws for a program that cannot be started and for one that is neither. */
export const findRuntime = async (program: string): Promise<OciRuntime> => {
  const [version = ''] = (await runCommand(program, ['--version'])).split('\n');
  const kind = (['crun', 'runc'] as const).find((name) => version.startsWith(`${name} version`));
  if (kind === undefined) throw new Error(`it calls itself "${version}", and only crun and runc are known`);
  return { program, kind, version };
};

/** Mount points of version 1 controllers other than devices, without which runc refuses to start. */
export const controllersToHide = async (): Promise<string[]> => {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  return lines
    .filter((line) => / - cgroup /.test(line) && !/\bdevices\b/.test(line.split(' - ')[1] ?? ''))
    .map((line) => line.split(' ')[4] ?? '');
};
