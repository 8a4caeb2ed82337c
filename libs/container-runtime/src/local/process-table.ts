/** What /proc says about processes and sockets; a process it cannot read is one that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start in clock ticks since boot: with the boot id it tells a process from a later one of the same number. */
  readonly startTime: string;
  readonly bootId: string;
}

/** Not through the thread pool: these files are memory, and a scan of hundreds of them would crowd it out. */
const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Fields of /proc/<pid>/stat from the state on; the name before them may itself contain spaces and brackets. */
const statFields = (pid: number): readonly string[] | undefined => {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const bootId = (): string => (readText('/proc/sys/kernel/random/boot_id') ?? '').trim();

export const identityOf = (pid: number): ProcessIdentity | undefined => {
  const fields = statFields(pid);
  const startTime = fields?.[19];
  return startTime === undefined || fields?.[0] === 'Z' ? undefined : { pid, startTime, bootId: bootId() };
};

export const isAlive = (identity: ProcessIdentity): boolean => {
  const now = identityOf(identity.pid);
  return now?.startTime === identity.startTime && now.bootId === identity.bootId;
};

const allPids = (): number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);

/** Living processes by every user they run as or could become again; zombies hold nothing and are left out. */
export const processesByUid = (): ReadonlyMap<number, readonly number[]> => {
  const table = new Map<number, number[]>();
  for (const pid of allPids()) {
    // Not the owner of /proc/<pid>: a process can make that root's.
    const status = readText(`/proc/${pid}/status`);
    const uids = status?.match(/^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m);
    if (!uids || /^State:\s+[ZX]/m.test(status ?? '')) continue;
    for (const uid of new Set(uids.slice(1).map(Number))) table.set(uid, [...(table.get(uid) ?? []), pid]);
  }
  return table;
};

export const pidsOfUid = (uid: number): readonly number[] => processesByUid().get(uid) ?? [];

/**
 * The process group of `leader`, what carries `marker` in its environment, what was `seen` in the tree before, and
 * everything below those processes. `seen` (pid to start time) is filled, so that one whose parent dies is not lost.
 */
export const pidsOfTree = (
  leader: number | undefined,
  marker: string,
  seen: Map<number, string>,
): readonly number[] => {
  const parents = new Map<number, number>();
  const starts = new Map<number, string>();
  const found = new Set<number>();
  for (const pid of allPids()) {
    const fields = statFields(pid);
    if (!fields || fields[0] === 'Z') continue;
    parents.set(pid, Number(fields[1]));
    starts.set(pid, fields[19] ?? '');
    if (seen.has(pid) && seen.get(pid) === fields[19]) found.add(pid);
    if (leader !== undefined && (pid === leader || Number(fields[2]) === leader)) found.add(pid);
    if (readText(`/proc/${pid}/environ`)?.split('\0').includes(marker)) found.add(pid);
  }
  for (let grew = true; grew;) {
    grew = false;
    for (const [pid, parent] of parents) {
      if (found.has(parent) && !found.has(pid)) grew = found.add(pid) !== undefined;
    }
  }
  found.delete(process.pid);
  for (const pid of found) seen.set(pid, starts.get(pid) ?? '');
  return [...found];
};

/** Bytes of memory the processes hold together; shared pages are counted once per process. */
export const residentBytes = (pids: readonly number[]): number => {
  let pages = 0;
  for (const pid of pids) {
    const statm = readText(`/proc/${pid}/statm`)?.split(' ');
    pages += Math.max(0, Number(statm?.[1] ?? 0) - Number(statm?.[2] ?? 0));
  }
  return pages * 4096;
};

/** The user that owns the socket listening on a TCP port of 127.0.0.1 (or of every address); undefined when none does. */
export const listenerUid = (port: number): number | undefined => {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (readText(table) ?? '').split('\n')) {
      if (!line.includes(`:${hex} `)) continue;
      const [, local, , state, , , , uid] = line.trim().split(/\s+/);
      if (state === '0A' && local?.endsWith(`:${hex}`)) return Number(uid);
    }
  }
  return undefined;
};
