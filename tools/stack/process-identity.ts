/** Tells a process we started from a stranger that was later given the same number; never answers for a process it cannot see. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot, and which boot that was. */
  readonly start_ticks: number;
  readonly boot_id: string;
}

interface ProcessStat {
  readonly state: string;
  readonly group: number;
  readonly startTicks: number;
}

/** Fields of /proc/<pid>/stat. The name is in parentheses and may hold anything, so the fields are counted after the last one. */
export const parseStat = (text: string): ProcessStat | undefined => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, group, startTicks] = [fields[0], Number(fields[2]), Number(fields[19])];
  return state === undefined || !Number.isFinite(group) || !Number.isFinite(startTicks)
    ? undefined
    : { state, group, startTicks };
};

const readStat = (pid: number): ProcessStat | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
};

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** Undefined when there is no such process. */
export const identify = (pid: number): ProcessIdentity | undefined => {
  const stat = readStat(pid);
  return stat && { pid, start_ticks: stat.startTicks, boot_id: bootId() };
};

/** A zombie counts as gone: it runs nothing and holds nothing. */
export const isAlive = (identity: ProcessIdentity): boolean => {
  const stat = readStat(identity.pid);
  return (
    stat !== undefined &&
    stat.state !== 'Z' &&
    stat.startTicks === identity.start_ticks &&
    identity.boot_id === bootId()
  );
};

/** Processes left in the group that `leader` led, which are its descendants; none when a stranger has its number now. */
export const groupMembers = (leader: ProcessIdentity): number[] => {
  const holder = readStat(leader.pid);
  if (leader.boot_id !== bootId() || (holder && holder.startTicks !== leader.start_ticks)) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = readStat(pid);
      return stat?.group === leader.pid && stat.state !== 'Z' && stat.startTicks >= leader.start_ticks;
    });
};

const sendTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in the meantime, which is what was wanted.
  }
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks a process of ours to end, insists after `patienceMs`, and ends what it left in its group. Never touches a stranger. */
export const endProcess = async (
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  patienceMs: number,
): Promise<void> => {
  if (isAlive(identity)) sendTo(identity.pid, signal);
  const deadline = Date.now() + patienceMs;
  while (isAlive(identity) && Date.now() < deadline) await pause(30);
  if (isAlive(identity)) sendTo(identity.pid, 'SIGKILL');
  for (const pid of groupMembers(identity)) sendTo(pid, 'SIGKILL');
};
