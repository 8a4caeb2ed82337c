/** What is started for a language: a fixed command line over fixed interpreters; the code only ever travels as a file. */
import type { Language, Program } from '../sandbox-backend.port.ts';

const EXTENSION: Readonly<Record<Language, string>> = { python: 'py', node: 'js', bash: 'sh' };

/** Name of the script in /workspace: beside the files so that relative imports work, and never over one of them. */
export const scriptName = (language: Language, taken: ReadonlySet<string>): string => {
  const extension = EXTENSION[language];
  let name = `main.${extension}`;
  for (let n = 1; taken.has(name); n += 1) name = `main_${n}.${extension}`;
  return name;
};

/**
 * The program is the child of a small shell, so that it is not process 1: process 1 ignores its own signals and inherits every
 * orphan. The shell's own words ("Killed") are no output of the program and are dropped.
 */
const SUPERVISED = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';

export const commandLine = (
  program: Pick<Program, 'language' | 'limits'>,
  interpreter: string,
  script: string,
): string[] => {
  const path = `/workspace/${script}`;
  const supervised = ['/bin/sh', '-c', SUPERVISED, 'sandbox', interpreter];
  switch (program.language) {
    case 'python':
      return [...supervised, path];
    case 'node':
      // V8 would take the host's memory as its own. Told the cgroup's size it collects in time, and the cgroup still decides.
      return [...supervised, `--max-old-space-size=${program.limits.memoryMb}`, path];
    case 'bash':
      return [...supervised, path];
  }
};

/** The whole environment of a program; what the caller names comes last. */
export const environment = (program: Pick<Program, 'env'>): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/node/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  // What was printed before a deadline is seen, and importing a helper file is not a changed file.
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  ...program.env,
});
