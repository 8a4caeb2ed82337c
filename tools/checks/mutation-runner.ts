/**
 * A test runner for Stryker that loads the specs of libs/policy once and asks them about every mutant in that process, which takes
 * milliseconds where a jest of its own takes seconds. Guarantees that a mutant counts as killed only where the test that failed
 * passes again without it; it must run nothing but specs of the pure library, because what a spec leaves behind stays.
 */
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineGlobals, type DefinedTest, resolveInside } from './mutation-globals.ts';
import { costSince, Endless, limitFor, runWatched } from './mutation-watch.ts';

interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** What the changed code looks at: which mutant is on, and where to note that it was reached. */
const instrumented = ((globalThis as { __stryker__?: Instrumented }).__stryker__ ??= {});

class InProcessRunner implements TestRunner {
  readonly #tests: DefinedTest[] = [];
  /** Processor time without a mutant, in milliseconds by test; none in a process begun for one mutant. */
  readonly #costs = new Map<string, number>();
  #loaded: Promise<void> | undefined;

  /** Stryker begins another process where a mutant acts while files are loaded. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    resolveInside(process.cwd());
    await defineGlobals((test) => this.#tests.push(test));
  }

  async dryRun(_: DryRunOptions): Promise<DryRunResult> {
    await this.#load();
    const tests: TestResult[] = [];
    for (const test of this.#tests) {
      const begun = process.cpuUsage();
      tests.push(await attempt(test));
      this.#costs.set(test.id, costSince(begun));
    }
    const { mutantCoverage } = instrumented;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage === undefined ? {} : { mutantCoverage }) };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, testFilter, disableBail, hitLimit } = options;
    if (mutantActivation === 'runtime') await this.#load();
    instrumented.activeMutant = activeMutant.id;
    instrumented.hitLimit = hitLimit;
    instrumented.hitCount = hitLimit === undefined ? undefined : 0;
    const chosen = testFilter === undefined ? undefined : new Set(testFilter);
    const tests: TestResult[] = [];
    let killer: DefinedTest | undefined;
    try {
      await this.#load();
      for (const test of this.#tests) {
        if (chosen?.has(test.id) === false) continue;
        const result = await attempt(test, limitFor(this.#costs.get(test.id)));
        tests.push(result);
        if (result.status !== TestStatus.Failed) continue;
        killer ??= test;
        if (!disableBail) break;
      }
    } catch (error) {
      if (error instanceof Endless) return { status: MutantRunStatus.Timeout, reason: error.message };
      // A mutant that keeps the specs from being loaded at all is noticed by every one of them.
      return { status: 'killed', killedBy: ['load'], failureMessage: String(error), nrOfTests: 0 } as MutantRunResult;
    } finally {
      instrumented.activeMutant = undefined;
    }
    const endless = determineHitLimitReached(instrumented.hitCount, instrumented.hitLimit);
    if (endless !== undefined) return toMutantRunResult(endless, disableBail);
    // Code that acted while files were loaded cannot be switched back; then the process is given up anyway.
    if (killer !== undefined && mutantActivation === 'runtime') await confirm(killer);
    return toMutantRunResult({ status: DryRunStatus.Complete, tests }, disableBail);
  }

  #load(): Promise<void> {
    this.#loaded ??= (async () => {
      const specs = (process.env['BRAVO_MUTATION_SPECS'] ?? '**/*').split(',').map((name) => `${name}.spec.ts`);
      const folder = path.join(process.cwd(), 'libs/policy/src');
      // What claims a time, or reads what is very long, says nothing of a mutant and much of the machine.
      const files = globSync(specs, { cwd: folder }).filter((file) => !file.endsWith('-cost.spec.ts'));
      // The first that fails ends the search, so what runs twenty times is asked last.
      const costly = (file: string): boolean => file.includes('properties');
      const ordered = files.sort((a, b) => Number(costly(a)) - Number(costly(b)) || (a < b ? -1 : 1));
      for (const file of ordered) await import(pathToFileURL(path.join(folder, file)).href);
    })();
    return this.#loaded;
  }
}

/** @throws Endless where a limit is given and the test goes on past it. */
const attempt = async ({ id, run }: DefinedTest, limitMs?: number): Promise<TestResult> => {
  const begun = performance.now();
  const told = () => ({ id, name: id, timeSpentMs: performance.now() - begun });
  instrumented.currentTestId = id;
  try {
    await (limitMs === undefined ? run() : runWatched(run, limitMs));
    return { ...told(), status: TestStatus.Success };
  } catch (error) {
    if (error instanceof Endless) throw error;
    return {
      ...told(),
      status: TestStatus.Failed,
      failureMessage: error instanceof Error ? error.message : String(error),
    };
  } finally {
    instrumented.currentTestId = undefined;
  }
};

/** @throws where a test fails without any mutant: what an earlier one left behind failed it. Stryker then tries the mutant in a new process. */
const confirm = async (killer: DefinedTest): Promise<void> => {
  instrumented.hitLimit = undefined;
  instrumented.hitCount = undefined;
  const { status } = await attempt(killer);
  if (status !== TestStatus.Success) throw new Error(`"${killer.id}" fails without a mutant in this process.`);
};

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
