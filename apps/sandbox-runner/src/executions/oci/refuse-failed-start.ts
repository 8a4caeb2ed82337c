/** Tells a container that never started from a program that failed: the runtime's own complaint is no program output. */
import { readFile } from 'node:fs/promises';
import { Fault } from '@bravo/faults';
import type { ProgramEnd } from './run-to-end.ts';

/** The runtime's own complaint is no program output: it means that nothing ran, and is told as a fault. */
export const refuseFailedStart = async (end: ProgramEnd, logFile: string): Promise<void> => {
  if (end.exitCode === 0 || end.outcome !== 'ok') return;
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const complaint = log
    .trim()
    .split('\n')
    .filter((line) => line !== '' && !/level="?warning/.test(line))
    .at(-1);
  if (complaint === undefined) return;
  throw new Fault('sandbox_unavailable', `The container could not be started: ${complaint}`);
};
