/** Runs a test and stops it where it never ends. Guarantees that slowness of the machine is not taken for a loop: what counts is processor time; it must never wait for a loop longer than its bound. */
import { Script } from 'node:vm';

/** Processor time after which a test counts as endless where nobody knows what it costs. */
const ENDLESS_AFTER_MS = 4_000;

/** What is given to a test that took `cost` ms of processor time when it was first run, and its code was read. */
export const limitFor = (cost: number | undefined): number =>
  cost === undefined ? ENDLESS_AFTER_MS : 300 + 3 * Math.ceil(cost);

/** Milliseconds of processor time of this process since `before`. */
export const costSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

export class Endless extends Error {}

const HOLDER = '__bravoWatched__';
const hold = new Script(`(run) => { globalThis.${HOLDER} = run; }`).runInThisContext() as (run: unknown) => void;
// The limit of a script reaches every function it calls, also those that were defined outside it.
const script = new Script(`${HOLDER}()`);

/** @throws Endless where the part of `run` before its first await does not end; whatever `run` throws. */
export const runWatched = (run: () => unknown, limitMs: number): unknown => {
  // On a machine so busy that the test got no processor meanwhile it is begun again, with twice as long.
  for (let longest = 2 * limitMs; ; longest *= 2) {
    const before = process.cpuUsage();
    hold(run);
    try {
      return script.runInThisContext({ timeout: longest });
    } catch (error) {
      if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (costSince(before) >= limitMs) throw new Endless('The test does not end.');
    } finally {
      hold(undefined);
    }
  }
};
