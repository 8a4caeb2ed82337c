/** Makes the machine ready for runs and proves it with one real run; whatever is missing is one sentence with its remedy. */
import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language, Program, ProgramResult, RunWatch } from '../sandbox-backend.port.ts';
import { findCgroups, type FoundCgroups } from './find-cgroups.ts';
import { claimInstance, instanceOf, tracedInstances, tryToClaim, type Instance } from './instance.ts';
import { createDirectory } from './create-directory.ts';
import { unmountAllUnder } from './mounts.ts';
import { prepareRootFilesystem, type RootFilesystem } from './root-filesystem.ts';
import { runCommand } from './run-command.ts';

export interface SandboxSettings {
  /** The state directory that names the instance; it must exist. */
  readonly directory: string;
  /** OCI runtime program, by name or path. */
  readonly runtime: string;
  readonly nodeProgram: string;
  readonly seccompProfile: string;
  /** Runs at the same time, at most `MAX_SLOTS`. */
  readonly slots: number;
}

export interface PreparedSandbox {
  readonly instance: Instance;
  readonly cgroups: FoundCgroups;
  readonly filesystem: RootFilesystem;
  readonly seccomp: object;
  /** `--root` of the OCI runtime. */
  readonly stateDirectory: string;
  /** Path inside of each interpreter that was seen to run. */
  readonly interpreters: ReadonlyMap<Language, string>;
  /** For every other language a sentence with the remedy. */
  readonly missing: ReadonlyMap<Language, string>;
  /** Removes everything again. */
  release(): Promise<void>;
}

type TrialRun = (
  prepared: PreparedSandbox,
  interpreter: string,
  program: Program,
  watch: RunWatch,
) => Promise<ProgramResult>;

/** What an earlier process of this instance left: its processes first, then its mounts, then its files. */
const sweep = async (instance: Instance, cgroups: FoundCgroups): Promise<void> => {
  await cgroups.tree.sweep();
  await unmountAllUnder(instance.runtimeDirectory);
  await rm(instance.runtimeDirectory, { recursive: true, force: true });
};

/** Traces of instances whose runner is dead and whose state directory may be gone, so that nobody else would ever look. */
const sweepDead = async (own: Instance): Promise<void> => {
  for (const instance of await tracedInstances()) {
    if (instance.id === own.id) continue;
    const letGo = await tryToClaim(instance);
    if (letGo === undefined) continue;
    try {
      const cgroups = await findCgroups(instance.cgroupSubtree);
      await sweep(instance, cgroups);
      await cgroups.tree.remove();
    } finally {
      await letGo();
    }
  }
};

const refuseHopeless = async (settings: SandboxSettings): Promise<object> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `Programs are isolated on Linux x86-64 only, and this is ${process.platform} ${process.arch}. Run the sandbox-runner on such a machine.`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      'Isolating programs needs root for namespaces and limits, and this process has none. Start Bravo as root; everything but running programs works without.',
    );
  }
  await runCommand(settings.runtime, ['--version']).catch((error: unknown) => {
    throw new Error(
      `The OCI runtime "${settings.runtime}" cannot be started (${messageOf(error)}). Install it, for example: apt-get install -y crun`,
    );
  });
  try {
    return JSON.parse(await readFile(settings.seccompProfile, 'utf8')) as object;
  } catch (error) {
    throw new Error(
      `The seccomp profile ${settings.seccompProfile} cannot be read (${messageOf(error)}). Set BRAVO_SECCOMP_PROFILE to deploy/seccomp/bravo-sandbox.json.`,
    );
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const TRIAL: Readonly<Record<Language, string>> = { bash: ':', python: 'pass', node: ';' };

/** Runs an empty program; an interpreter that fails it counts as missing. Returns '' or what was wrong. */
const trial = async (
  prepared: PreparedSandbox,
  language: Language,
  interpreter: string,
  run: TrialRun,
): Promise<string> => {
  let said = '';
  const limits = { timeoutSeconds: 30, memoryMb: 256, cpu: 1 };
  const program = { language, code: TRIAL[language], files: [], env: {}, limits };
  const result = await run(prepared, interpreter, program, {
    onStarted: () => undefined,
    onOutput: (_, chunk) => {
      if (said.length < 500) said += Buffer.from(chunk).toString('utf8');
    },
    signal: new AbortController().signal,
  });
  if (result.outcome === 'ok' && result.exitCode === 0) return '';
  return `The ${language} interpreter does not run in the sandbox: ${said.trim() || `${result.outcome}, exit code ${result.exitCode}`}`;
};

export const prepareSandbox = async (settings: SandboxSettings, run: TrialRun): Promise<PreparedSandbox> => {
  const seccomp = await refuseHopeless(settings);
  const instance = instanceOf(await realpath(settings.directory));
  const cgroups = await findCgroups(instance.cgroupSubtree);
  const letGo = await claimInstance(instance);
  const release = async () => {
    await sweep(instance, cgroups);
    await cgroups.tree.remove();
    await letGo();
  };
  try {
    await sweep(instance, cgroups);
    // What a dead stranger left is no reason not to start.
    await sweepDead(instance).catch(() => undefined);
    const stateDirectory = join(instance.runtimeDirectory, 'crun');
    await createDirectory(instance.runtimeDirectory, 0o711);
    await createDirectory(stateDirectory, 0o700);
    await createDirectory(join(instance.runtimeDirectory, 'runs'), 0o711);
    const filesystem = await prepareRootFilesystem(instance.runtimeDirectory, settings.nodeProgram);
    const missing = new Map(filesystem.missing);
    const interpreters = new Map(filesystem.interpreters);
    const prepared = { instance, cgroups, filesystem, seccomp, stateDirectory, interpreters, missing, release };
    for (const [language, interpreter] of filesystem.interpreters) {
      const wrong = await trial(prepared, language, interpreter, run);
      if (wrong === '') continue;
      interpreters.delete(language);
      missing.set(language, wrong);
    }
    return prepared;
  } catch (error) {
    await release();
    throw new Error(
      `This machine does not let the sandbox isolate programs (${messageOf(error)}). It needs root with CAP_SYS_ADMIN, user namespaces and writable cgroups (in a container: --privileged).`,
      { cause: error },
    );
  }
};
