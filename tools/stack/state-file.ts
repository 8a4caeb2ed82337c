/** What is running and on which ports, written whole after each change, so that `down` and `status` need nothing else. */
import { readJson, writePrivate, type Home } from './home.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';

export interface RunningProcess extends ProcessIdentity {
  readonly name: string;
  readonly stop_signal: NodeJS.Signals;
  /** ISO time of this start. */
  readonly started_at: string;
  /** How often the supervisor had to start it again. */
  readonly restarts: number;
}

export interface StackState {
  readonly version: 1;
  readonly phase: 'starting' | 'running' | 'stopping' | 'stopped';
  /** By name, for example "gateway" or "identity.grpc"; kept when the stack is down, so that addresses stay. */
  readonly ports: Readonly<Record<string, number>>;
  readonly supervisor: ProcessIdentity | null;
  /** In the order of their start. */
  readonly processes: readonly RunningProcess[];
  readonly gateway_url: string;
  /** What cannot be done on this machine and why, one sentence each. */
  readonly restrictions: readonly string[];
}

const remedy = 'if it was edited by hand, delete it; "./bravo up" writes a new one.';

export const readState = (home: Home): StackState | undefined => {
  const state = readJson<StackState>(home.stateFile, remedy);
  if (state !== undefined && (state.version !== 1 || typeof state.ports !== 'object')) {
    throw new Error(`${home.stateFile} is not a state file of this version: ${remedy}`);
  }
  return state;
};

export const writeState = (home: Home, state: StackState): void =>
  writePrivate(home.stateFile, `${JSON.stringify(state, null, 2)}\n`);

export const supervisorIsAlive = (state: StackState | undefined): boolean =>
  state !== undefined && state.supervisor !== null && isAlive(state.supervisor);
