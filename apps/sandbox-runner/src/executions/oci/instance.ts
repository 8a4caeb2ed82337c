/** Names everything this runner makes on the machine after its state directory, so that two runners never touch each other's. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import { ID_RANGE } from './bundle-config.ts';

/** Runs at the same time on one runner; each has a range of ids of its own. */
export const MAX_SLOTS = 16;

const FIRST_ID = 200_000_000;
/** Keeps every id below 2^31, where no tool takes it for a negative number. */
const INSTANCES = 1_700;

export interface Instance {
  readonly id: string;
  /** Outside of the state directory, because that one is closed to other users and the runs' users must pass through. */
  readonly runtimeDirectory: string;
  readonly cgroupSubtree: string;
  firstHostId(slot: number): number;
}

/** @param stateDirectory real absolute path; the same path is the same instance. */
export const instanceOf = (stateDirectory: string, runtimeRoot = '/run'): Instance => {
  const digest = createHash('sha256').update(stateDirectory).digest();
  const id = digest.toString('hex').slice(0, 16);
  const base = FIRST_ID + (digest.readUInt32BE(8) % INSTANCES) * MAX_SLOTS * ID_RANGE;
  return {
    id,
    runtimeDirectory: join(runtimeRoot, `bravo-sandbox-${id}`),
    cgroupSubtree: `bravo-sandbox-${id}`,
    firstHostId(slot) {
      if (!Number.isInteger(slot) || slot < 0 || slot >= MAX_SLOTS) throw new RangeError(`no slot ${slot}`);
      return base + slot * ID_RANGE;
    },
  };
};

/**
 * Holds the instance for this process; the kernel lets go when the process ends, however it ends.
 * Throws `unavailable` while another runner of the same state directory lives: it must not sweep that one's runs away.
 */
export const claimInstance = (instance: Instance): Promise<() => Promise<void>> =>
  new Promise((resolve, reject) => {
    const holder = createServer((socket) => socket.destroy());
    holder.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Fault(
              'unavailable',
              'Another sandbox-runner uses the same BRAVO_SANDBOX_DIR. Stop it, or give this one its own.',
            )
          : error,
      );
    });
    // A name in the abstract namespace of unix sockets: no file, so none can be left over.
    holder.listen(`\0bravo-sandbox-${instance.id}`, () => {
      holder.unref();
      resolve(() => new Promise((done) => holder.close(() => done())));
    });
  });
