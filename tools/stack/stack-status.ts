/** How each process of a stack is, asked of the process itself; a dead one is listed, not left out. */
import { isHealthy } from './health.ts';
import type { Home } from './home.ts';
import { plannedPostgres, readPlan } from './plan.ts';
import { isAlive } from './process-identity.ts';
import { readState, supervisorIsAlive } from './state-file.ts';

export interface ProcessStatus {
  readonly name: string;
  /** Null when it is not running. */
  readonly pid: number | null;
  readonly url: string;
  readonly healthy: boolean;
}

export interface StackStatus {
  readonly gateway: { readonly url: string } | null;
  readonly processes: readonly ProcessStatus[];
}

/** `gateway` is null and the list empty when nothing is up. */
export const stackStatus = async (home: Home): Promise<StackStatus> => {
  const state = readState(home);
  const plan = readPlan(home);
  const anything = state !== undefined && (supervisorIsAlive(state) || state.processes.some(isAlive));
  if (!anything || plan === undefined) return { gateway: null, processes: [] };
  const { embeddedPostgres, servers, services } = plan;
  const nothing = { command: '', args: [], cwd: '/', env: {}, stopSignal: 'SIGINT' as const };
  const planned = [...(embeddedPostgres ? [plannedPostgres(embeddedPostgres, nothing)] : []), ...servers, ...services];
  const processes = await Promise.all(
    planned.map(async ({ name, url, health }): Promise<ProcessStatus> => {
      const running = state.processes.find((candidate) => candidate.name === name && isAlive(candidate));
      return { name, pid: running?.pid ?? null, url, healthy: running !== undefined && (await isHealthy(health)) };
    }),
  );
  const supervisor = state.supervisor && supervisorIsAlive(state) ? state.supervisor.pid : null;
  return {
    gateway: { url: state.gateway_url },
    processes: [{ name: 'supervisor', pid: supervisor, url: '', healthy: supervisor !== null }, ...processes],
  };
};
