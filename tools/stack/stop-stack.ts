/** Stops exactly what a start of this home started, also when its supervisor is gone; strangers with the same numbers are left alone. */
import type { Home } from './home.ts';
import { endProcess, isAlive } from './process-identity.ts';
import { readState, supervisorIsAlive, writeState } from './state-file.ts';

/** Longer than every service's own drain, one after another. */
const supervisorPatienceMs = 90_000;

/** Names of what was running; empty when there was nothing to stop. */
export const stopStack = async (home: Home): Promise<string[]> => {
  const before = readState(home);
  if (before === undefined) return [];
  const alive = before.processes.filter(isAlive).map(({ name }) => name);
  const { supervisor } = before;
  if (supervisor && supervisorIsAlive(before)) {
    alive.push('supervisor');
    await endProcess(supervisor, 'SIGTERM', supervisorPatienceMs);
  }
  // What is left belongs to a supervisor that crashed. The state is read again: it was written until the end.
  const state = readState(home) ?? before;
  for (const running of [...state.processes].reverse()) await endProcess(running, running.stop_signal, 12_000);
  writeState(home, { ...state, phase: 'stopped', supervisor: null, processes: [] });
  return alive;
};
