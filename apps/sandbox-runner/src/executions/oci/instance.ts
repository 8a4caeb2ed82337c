/** Names everything this runner makes on the machine after its state directory, so that two runners never touch each other's. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import { ID_RANGE } from './bundle-config.ts';

/** Cells at the same time on one runner, running, waiting and being removed; each has a range of ids of its own. */
export const MAX_SLOTS = 48;

const PREFIX = 'bravo-sandbox-';
const RUNTIME_ROOT = '/run';
const FIRST_ID = 200_000_000;
/** Keeps every id below 2^31, where no tool takes it for a negative number. */
const INSTANCES = 580;

export interface Instance {
  readonly id: string;
  /** Outside of the state directory, because that one is closed to other users and the runs' users must pass through. */
  readonly runtimeDirectory: string;
  readonly cgroupSubtree: string;
  firstHostId(slot: number): number;
}

const named = (id: string, base: number, runtimeRoot: string): Instance => ({
  id,
  runtimeDirectory: join(runtimeRoot, `${PREFIX}${id}`),
  cgroupSubtree: `${PREFIX}${id}`,
  firstHostId(slot) {
    if (!Number.isInteger(slot) || slot < 0 || slot >= MAX_SLOTS) throw new RangeError(`no slot ${slot}`);
    return base + slot * ID_RANGE;
  },
});

/** @param stateDirectory real absolute path; the same path is the same instance. */
export const instanceOf = (stateDirectory: string, runtimeRoot = RUNTIME_ROOT): Instance => {
  const digest = createHash('sha256').update(stateDirectory).digest();
  const base = FIRST_ID + (digest.readUInt32BE(8) % INSTANCES) * MAX_SLOTS * ID_RANGE;
  return named(digest.toString('hex').slice(0, 16), base, runtimeRoot);
};

/** Instances that left traces on this machine, alive or not; nothing may be run in them, only claimed and swept. */
export const tracedInstances = async (runtimeRoot = RUNTIME_ROOT): Promise<Instance[]> => {
  const names = await readdir(runtimeRoot).catch(() => []);
  return names
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => named(name.slice(PREFIX.length), FIRST_ID, runtimeRoot));
};

/** Resolves with how to let go, or with undefined while somebody else holds the instance. */
export const tryToClaim = (instance: Instance): Promise<(() => Promise<void>) | undefined> =>
  new Promise((resolve, reject) => {
    const holder = createServer((socket) => socket.destroy());
    holder.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    // A name in the abstract namespace of unix sockets: no file, so none can be left over.
    holder.listen(`\0${PREFIX}${instance.id}`, () => {
      holder.unref();
      resolve(() => new Promise((done) => holder.close(() => done())));
    });
  });

/**
 * Holds the instance for this process; the kernel lets go when the process ends, however it ends.
 * Waits a moment for one that is just ending, then throws `unavailable`: a living runner must not be swept away.
 */
export const claimInstance = async (instance: Instance, patienceMs = 2_000): Promise<() => Promise<void>> => {
  for (const until = Date.now() + patienceMs; ;) {
    const letGo = await tryToClaim(instance);
    if (letGo !== undefined) return letGo;
    if (Date.now() > until) {
      throw new Fault(
        'unavailable',
        'Another sandbox-runner uses the same BRAVO_SANDBOX_DIR. Stop it, or give this one its own.',
      );
    }
    await delay(50);
  }
};
