/** Finds and kills what belongs to one platform, by its own directories; never touches a process of anybody else. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { Platform } from '@bravo/testing';
import { waitUntil } from '@bravo/testing/wait-until';
import { isHealthy } from '@bravo/tools/stack/health';
import { homeAt } from '@bravo/tools/stack/home';
import { readPlan } from '@bravo/tools/stack/plan';
import { isAlive } from '@bravo/tools/stack/process-identity';
import { readState } from '@bravo/tools/stack/state-file';
import { leftoversOf, pidsOf, readOf, tracesOfExecutions } from './orphans.ts';
import { moreThanWaits, readLoad, type SandboxLoad } from './sandbox-load.ts';
import { SERVERS, SERVICES, type Target } from './schedule.ts';

const parentOf = (pid: number): number => Number(/^PPid:\t(\d+)/m.exec(readOf(pid, 'status'))?.[1] ?? 0);

export interface Ground {
  /** Strikes; @returns what was struck, or undefined where there was nothing to strike. */
  strike(target: Target): Promise<string | undefined>;
  /** Waits until the platform is whole again after a strike. */
  recovered(target: Target): Promise<void>;
  /** Whether the sandbox runs a program just now, by its own count. */
  isExecuting(): Promise<boolean>;
  /** What executions left beside the places that wait for the next ones, by the sandbox's own count of these. Empty when nothing runs. */
  executionTraces(): Promise<string[]>;
  /** What is left on the machine of a platform that was stopped. */
  leftovers(): string[];
}

/** Taken while the platform is up, because a stopped one has nothing to read any more. */
export const surveyGround = (platform: Platform): Ground => {
  const home = homeAt(platform.home);
  const state = readState(home);
  const plan = readPlan(home);
  const instance = `bravo-sandbox-${createHash('sha256').update(realpathSync(home.sandbox)).digest('hex').slice(0, 16)}`;
  const bundles = `/run/${instance}`;
  const podGroup = `bravo-pods-${createHash('sha256').update(home.pods).digest('hex').slice(0, 16)}`;
  const own = {
    directories: [home.root, home.pods, bundles],
    bundles,
    root: home.root,
    cgroupName: instance,
    podCgroupName: podGroup,
  };

  const runtimes = (): number[] =>
    pidsOf().filter((pid) => {
      const words = readOf(pid, 'cmdline').split('\0');
      return (
        words.includes('run') &&
        words.some((word) => word.startsWith(`${bundles}/runs/`)) &&
        /crun$/.test(words[0] ?? '')
      );
    });

  const executions = (): number[] => {
    const parents = new Set(runtimes());
    return pidsOf().filter((pid) => parents.has(parentOf(pid)));
  };

  const killAll = (found: readonly number[]): string | undefined => {
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself in the same moment.
      }
    }
    return found.length === 0 ? undefined : found.map((pid) => `pid ${pid}`).join(', ');
  };

  const probeOf = (name: string) =>
    [...(plan?.servers ?? []), ...(plan?.services ?? [])].find((planned) => planned.name === name)?.health;

  const serverIsUp = async (name: string): Promise<boolean> => {
    const running = readState(home)?.processes.find((process) => process.name === name);
    if (running === undefined || !isAlive(running)) return false;
    // The database's own health is seen through the services that stand on it.
    const probe = name === 'postgres' ? { kind: 'postgres' as const, url: plan?.databaseUrl ?? '' } : probeOf(name);
    return probe !== undefined && isHealthy(probe);
  };

  const load = async (): Promise<SandboxLoad> => {
    const probe = probeOf('sandbox-runner');
    if (probe?.kind !== 'http') throw new Error('the plan has no address of the sandbox-runner');
    const answer = await fetch(`http://127.0.0.1:${probe.port}/metrics`).catch(() => undefined);
    return readLoad(answer?.ok === true ? await answer.text() : '');
  };

  return {
    isExecuting: async () => (await load()).running > 0,
    strike: async (target) => {
      if (target === 'pod') return killAll(await platform.podPids());
      if (target === 'runtime') return killAll(runtimes());
      if (target === 'execution') return killAll(executions());
      const running = readState(home)?.processes.find((process) => process.name === target);
      await platform.kill(target);
      return `pid ${running?.pid ?? '?'}`;
    },
    recovered: async (target) => {
      if (SERVERS.some((server) => server === target))
        await waitUntil(`${target} to be up again`, () => serverIsUp(target), { timeoutMs: 60_000 });
      // A server that went takes the readiness of everything that stands on it with it.
      for (const service of SERVICES) await platform.waitReady(service);
    },
    executionTraces: async () => {
      const { places, interpreters } = await load();
      return moreThanWaits(tracesOfExecutions(own), runtimes(), { places, interpreters });
    },
    leftovers: () => [
      ...leftoversOf(own),
      ...(state?.processes ?? []).filter(isAlive).map(({ name, pid }) => `${name} ${pid}`),
    ],
  };
};
