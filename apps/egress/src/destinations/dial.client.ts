/** Connects to an address that was checked, never to a name: no second lookup can lead elsewhere. */
import { connect, isIP, type Socket } from 'node:net';
import { EgressRefused } from '@bravo/chassis/egress-refusals';

const CONNECT_MS = 30_000;
/** What one address of several has before the next is tried. */
const EACH_MS = 10_000;

export const createDial =
  (connectMs = CONNECT_MS, eachMs = EACH_MS) =>
  async (addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> => {
    const endsAt = performance.now() + connectMs;
    let last: unknown = new EgressRefused('unreachable');
    for (const address of addresses) {
      const rest = endsAt - performance.now();
      if (rest <= 0 || signal.aborted) break;
      try {
        return await dialOne(address, port, addresses.length === 1 ? rest : Math.min(eachMs, rest), signal);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  };

const dialOne = (address: string, port: number, ms: number, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    if (isIP(address) === 0) {
      reject(new Error('only an address is dialled'));
      return;
    }
    const socket = connect({ host: address, port, allowHalfOpen: true, noDelay: true });
    const end = (error: EgressRefused): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.destroy();
      reject(error);
    };
    const stop = (): void => end(new EgressRefused('unreachable'));
    const timer = setTimeout(() => end(new EgressRefused('connect_timeout')), ms);
    signal.addEventListener('abort', stop, { once: true });
    socket.once('error', (cause) => end(new EgressRefused('unreachable', { cause })));
    socket.once('connect', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
