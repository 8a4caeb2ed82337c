/** Carries bytes between two open sockets until either side has ended or a cap is reached; it never looks into them. */
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import type { Outcome } from './connection-record.ts';
import type { Caps } from './purposes.ts';

export interface Carried {
  readonly outcome: Outcome;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Resolves when both sockets are closed. `stop` ends it from outside. */
export const carryBytes = (inside: Duplex, outside: Socket, caps: Caps, stop: AbortSignal): Promise<Carried> =>
  new Promise((resolve) => {
    const counted = { sentBytes: 0, receivedBytes: 0 };
    let outcome: Outcome | undefined;
    let idle: NodeJS.Timeout | undefined;
    const finish = (how: Outcome): void => {
      if (outcome !== undefined) return;
      outcome = how;
      clearTimeout(idle);
      clearTimeout(life);
      stop.removeEventListener('abort', stopped);
      // An end in order is an answer of its own (a syslog receiver has read it all): what was broken off must not look like one.
      if (how === 'reset') [inside, outside].forEach(breakOff);
      inside.destroy();
      outside.destroy();
      resolve({ outcome, ...counted });
    };
    const stopped = (): void => finish('stopped');
    const life = setTimeout(() => finish('time_cap'), caps.lifeMs);
    const alive = (): void => {
      clearTimeout(idle);
      if (outcome === undefined) idle = setTimeout(() => finish('idle_cap'), caps.idleMs);
    };
    let flushed = 0;
    const pump = (from: Duplex, to: Duplex, kind: keyof typeof counted): void => {
      from.on('data', (chunk: Buffer) => {
        alive();
        counted[kind] += chunk.length;
        if (counted[kind] > caps[kind]) return finish('bytes_cap');
        if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      });
      let over = false;
      from.on('end', () => {
        over = true;
        to.end(() => {
          flushed += 1;
          if (flushed === 2) finish('ended');
        });
      });
      from.on('error', () => finish('reset'));
      // What had ended in order may be closed while its last bytes are still on their way to the other side.
      from.on('close', () => {
        if (!over) finish('reset');
      });
    };
    stop.addEventListener('abort', stopped, { once: true });
    pump(inside, outside, 'sentBytes');
    pump(outside, inside, 'receivedBytes');
    alive();
    if (stop.aborted) stopped();
  });

const breakOff = (socket: Duplex): void => {
  if (socket instanceof Socket && !socket.destroyed) socket.resetAndDestroy();
};
