/** What /proc says about processes and sockets; a process it cannot read is one that does not exist. */
import { readdir, readFile } from 'node:fs/promises';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start in clock ticks since boot: with the boot id it tells a process from a later one of the same number. */
  readonly startTime: string;
  readonly bootId: string;
}

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Fields of /proc/<pid>/stat from the state on; the name before them may itself contain spaces and brackets. */
const statFields = async (pid: number): Promise<readonly string[] | undefined> => {
  const stat = await readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
};

export const bootId = async (): Promise<string> => ((await readText('/proc/sys/kernel/random/boot_id')) ?? '').trim();

export const identityOf = async (pid: number): Promise<ProcessIdentity | undefined> => {
  const fields = await statFields(pid);
  const startTime = fields?.[19];
  return startTime === undefined || fields?.[0] === 'Z' ? undefined : { pid, startTime, bootId: await bootId() };
};

export const isAlive = async (identity: ProcessIdentity): Promise<boolean> => {
  const now = await identityOf(identity.pid);
  return now?.startTime === identity.startTime && now.bootId === identity.bootId;
};

const allPids = async (): Promise<number[]> =>
  (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);

/** Living processes whose real or saved user is `uid`; zombies hold nothing and are left out. */
export const pidsOfUid = async (uid: number): Promise<number[]> => {
  const found: number[] = [];
  for (const pid of await allPids()) {
    const status = await readText(`/proc/${pid}/status`);
    const uids = status?.match(/^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m);
    if (!uids || /^State:\s+[ZX]/m.test(status ?? '')) continue;
    if (uids.slice(1).some((value) => Number(value) === uid)) found.push(pid);
  }
  return found;
};

/**
 * The process group of `leader`, what carries `marker` in its environment, what was `seen` in the tree before, and
 * everything below those processes. `seen` (pid to start time) is filled, so that one whose parent dies is not lost.
 */
export const pidsOfTree = async (
  leader: number | undefined,
  marker: string,
  seen: Map<number, string>,
): Promise<number[]> => {
  const parents = new Map<number, number>();
  const starts = new Map<number, string>();
  const found = new Set<number>();
  for (const pid of await allPids()) {
    const fields = await statFields(pid);
    if (!fields || fields[0] === 'Z') continue;
    parents.set(pid, Number(fields[1]));
    starts.set(pid, fields[19] ?? '');
    if (seen.has(pid) && seen.get(pid) === fields[19]) found.add(pid);
    if (leader !== undefined && (pid === leader || Number(fields[2]) === leader)) found.add(pid);
    if ((await readText(`/proc/${pid}/environ`))?.split('\0').includes(marker)) found.add(pid);
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
export const residentBytes = async (pids: readonly number[]): Promise<number> => {
  let pages = 0;
  for (const pid of pids) {
    const statm = (await readText(`/proc/${pid}/statm`))?.split(' ');
    pages += Math.max(0, Number(statm?.[1] ?? 0) - Number(statm?.[2] ?? 0));
  }
  return pages * 4096;
};

/** The user that owns the socket listening on a TCP port of 127.0.0.1 (or of every address); undefined when none does. */
export const listenerUid = async (port: number): Promise<number | undefined> => {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of ((await readText(table)) ?? '').split('\n').slice(1)) {
      const [, local, , state, , , , uid] = line.trim().split(/\s+/);
      if (state === '0A' && local?.endsWith(`:${hex}`)) return Number(uid);
    }
  }
  return undefined;
};
