/** What the kernel says of a process: the time it computed and the memory that is its own. */
import { readFileSync } from 'node:fs';

/** Milliseconds in user and kernel mode since its start; the kernel counts in hundredths of a second. */
export const processorTime = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** MiB; pages shared with others count in part, so that a sum is honest. */
export const memoryOf = (pid: number): number => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? Number.NaN) / 1024;
};

/** The process and everything it started. */
export const familyOf = (pid: number): number[] => {
  let children: number[] = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
  return [pid, ...children.flatMap(familyOf)];
};
