/** Makes the machine ready for runs and proves it with one real run; whatever is missing is one sentence with its remedy. */
import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findCgroups,
  findRuntime,
  type FoundCgroups,
  mountsToHide,
  type OciRuntime,
} from '@bravo/container-runtime/oci';
import type { Language, Program, ProgramResult, RunWatch } from '../sandbox-backend.port.ts';
import { claimInstance, instanceOf, tracedInstances, tryToClaim, type Instance } from './instance.ts';
import type { CellSite } from './cell.ts';
import { createDirectory } from './create-directory.ts';
import type { LanguageRoot, LanguageRoots } from './language-roots.ts';
import { unmountAllUnder } from './mounts.ts';
import { rootOfHostPrograms } from './root-filesystem.ts';
import { rootsOfImages } from './root-of-images.ts';

export interface SandboxSettings {
  /** The state directory that names the instance; it must exist. */
  readonly directory: string;
  /** OCI runtime program, by name or path. */
  readonly runtime: string;
  /** Directory of built images; '' for the host's own interpreters. */
  readonly images: string;
  readonly nodeProgram: string;
  readonly seccompProfile: string;
  /** Places furnished ahead of need. */
  readonly spare: number;
  /** Interpreters that wait for a program, per language. */
  readonly warm: Readonly<Partial<Record<Language, number>>>;
  /** Told of what went wrong in the background; nobody's program failed of it. */
  readonly onTrouble?: (error: unknown) => void;
}

/** A machine that was made ready, before any program was tried on it. */
export interface PreparedSite extends CellSite {
  readonly seccomp: object;
  /** Text of the program that carries plans out inside. */
  readonly planProgram: string;
  readonly roots: LanguageRoots;
  /** Of the image with language servers; undefined where there is none. */
  readonly languageServers: LanguageRoot | undefined;
  /** Removes everything again; no cell may be left. */
  release(): Promise<void>;
}

export interface PreparedSandbox extends Omit<PreparedSite, 'roots'> {
  /** Of each language whose interpreter was seen to run. */
  readonly roots: ReadonlyMap<Language, LanguageRoot>;
  /** For every other language a sentence with the remedy. */
  readonly missing: ReadonlyMap<Language, string>;
}

const PLAN_PROGRAM = new URL('../../../programs/run_plan.py', import.meta.url);

type TrialRun = (prepared: PreparedSandbox, program: Program, watch: RunWatch) => Promise<ProgramResult>;

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

const refuseHopeless = async (settings: SandboxSettings): Promise<{ runtime: OciRuntime; seccomp: object }> => {
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
  const runtime = await findRuntime(settings.runtime).catch((error: unknown) => {
    throw new Error(
      `The OCI runtime "${settings.runtime}" cannot be used (${messageOf(error)}). Install one, for example: apt-get install -y crun`,
    );
  });
  try {
    return { runtime, seccomp: JSON.parse(await readFile(settings.seccompProfile, 'utf8')) as object };
  } catch (error) {
    throw new Error(
      `The seccomp profile ${settings.seccompProfile} cannot be read (${messageOf(error)}). Set BRAVO_SECCOMP_PROFILE to deploy/seccomp/bravo-sandbox.json.`,
    );
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const TRIAL: Readonly<Record<Language, string>> = { bash: ':', python: 'pass', node: ';' };

/** Runs an empty program; an interpreter that fails it counts as missing. Returns '' or what was wrong. */
const trial = async (prepared: PreparedSandbox, language: Language, run: TrialRun): Promise<string> => {
  let said = '';
  const limits = { timeoutSeconds: 30, memoryMb: 256, cpu: 1 };
  const program = { language, code: TRIAL[language], files: [], env: {}, limits };
  const result = await run(prepared, program, {
    onStarted: () => undefined,
    onOutput: (_, chunk) => {
      if (said.length < 500) said += Buffer.from(chunk).toString('utf8');
    },
    signal: new AbortController().signal,
  });
  if (result.outcome === 'ok' && result.exitCode === 0) return '';
  return `The ${language} interpreter does not run in the sandbox: ${said.trim() || `${result.outcome}, exit code ${result.exitCode}`}`;
};

const unfit = (error: unknown): Error =>
  new Error(
    `This machine does not let the sandbox isolate programs (${messageOf(error)}). It needs root with CAP_SYS_ADMIN, user namespaces and writable cgroups (in a container: --privileged).`,
    { cause: error },
  );

/** Throws with the remedy; then nothing is left on the machine. */
export const prepareSandbox = async (settings: SandboxSettings): Promise<PreparedSite> => {
  const { runtime, seccomp } = await refuseHopeless(settings);
  const instance = instanceOf(await realpath(settings.directory));
  const cgroups = await findCgroups(instance.cgroupSubtree, undefined, runtime.kind === 'crun');
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
    const stateDirectory = join(instance.runtimeDirectory, 'runtime');
    await createDirectory(instance.runtimeDirectory, 0o711);
    await createDirectory(stateDirectory, 0o700);
    await createDirectory(join(instance.runtimeDirectory, 'runs'), 0o711);
    const planProgram = await readFile(PLAN_PROGRAM, 'utf8');
    const { languages: images, languageServers } = await rootsOfImages(settings.images, instance.runtimeDirectory);
    const host = await rootOfHostPrograms(instance.runtimeDirectory, settings.nodeProgram);
    const roots = {
      found: new Map([...host.found, ...images]),
      missing: new Map([...host.missing].filter(([language]) => !images.has(language))),
    };
    const hidden = await mountsToHide(runtime, cgroups);
    return {
      instance,
      cgroups,
      runtime,
      stateDirectory,
      hidden,
      seccomp,
      planProgram,
      roots,
      languageServers,
      release,
    };
  } catch (error) {
    await release();
    throw unfit(error);
  }
};

/** Keeps the languages whose interpreter runs. Throws when nothing can be isolated at all. */
export const tryLanguages = async (site: PreparedSite, run: TrialRun): Promise<PreparedSandbox> => {
  const missing = new Map(site.roots.missing);
  const roots = new Map(site.roots.found);
  const prepared = { ...site, roots, missing };
  for (const language of site.roots.found.keys()) {
    const wrong = await trial(prepared, language, run).catch((error: unknown) => {
      throw unfit(error);
    });
    if (wrong === '') continue;
    roots.delete(language);
    missing.set(language, wrong);
  }
  return prepared;
};
