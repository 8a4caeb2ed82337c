/**
 * Syslog over TLS (RFC 5425, messages of RFC 5424). Syslog has no acknowledgement; what there is in its place is the end of a
 * connection in order: only a receiver that has read everything up to our end can end its own side so. So each delivery has a
 * connection of its own, and one that was broken off in any other way counts as not taken.
 */
import { destinationOf, openTunnel, secureTunnel, type WayOut } from '@bravo/chassis';
import type { TLSSocket } from 'node:tls';
import { once } from 'node:events';
import type { Destination } from './destination.port.ts';
import type { DestinationSecret } from './read-destination.ts';
import { type DeliveredLine, type Delivery, DeliveryProblem, type Receiver } from './receiver.port.ts';
import { receiverTerms } from './receiver-terms.ts';

const CONNECT_MS = 15_000;
/** From our end to its. */
const READ_MS = 30_000;
const SEND_MS = 60_000;
/** Log audit. */
const FACILITY = 13;

export interface SyslogTiming {
  readonly sendMs?: number;
  readonly readMs?: number;
}

export const createSyslogReceiver = (
  way: WayOut,
  destination: Destination,
  secret: DestinationSecret,
  { sendMs = SEND_MS, readMs = READ_MS }: SyslogTiming = {},
): Receiver => ({
  async deliver(delivery, signal) {
    const { to, tls } = receiverTerms(destination, secret);
    const { host, port } = destinationOf(new URL(destination.url));
    const timing = { connectMs: CONNECT_MS, signal };
    const socket = await openTunnel(way, { ...to, host, port }, timing);
    const certificates = [...(way.certificates ?? []), ...tls.certificates];
    const secure = await secureTunnel({ ...tls, certificates, protocols: [] }, socket, host, timing);
    try {
      await sendAll(secure, delivery, sendMs, signal);
      await readToItsEnd(secure, readMs, signal);
    } finally {
      secure.destroy();
      socket.destroy();
    }
  },
  close: () => undefined,
});

/** Octet counting: what is inside a message never ends it. */
export const frame = (
  { workspaceId }: Pick<Delivery, 'workspaceId'>,
  { kind, text, severity, time }: DeliveredLine,
): Buffer => {
  const head = `<${FACILITY * 8 + severity}>1 ${time.toISOString()} bravo trail ${printable(workspaceId, 128)} ${kind} - `;
  // A line of ours holds no control character: JSON and CEF spell them out.
  const message = Buffer.from(head + text, 'utf8');
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
};

const printable = (text: string, most: number): string => text.replace(/[^!-~]/g, '_').slice(0, most) || '-';

const sendAll = async (secure: TLSSocket, delivery: Delivery, sendMs: number, signal: AbortSignal): Promise<void> => {
  const late = AbortSignal.any([signal, AbortSignal.timeout(sendMs)]);
  const failed = failureOf(secure);
  for (const line of delivery.lines)
    if (!secure.write(frame(delivery, line)))
      await Promise.race([once(secure, 'drain', { signal: late }), failed]).catch((error: unknown) => {
        throw signal.aborted || !late.aborted ? error : new DeliveryProblem('It took nothing more for too long.');
      });
};

const failureOf = (secure: TLSSocket): Promise<never> => {
  const failed = new Promise<never>((_, reject) => {
    secure.once('error', reject);
    secure.once('close', () => reject(new DeliveryProblem('It ended the connection before it had read everything.')));
  });
  failed.catch(() => undefined);
  return failed;
};

const readToItsEnd = (secure: TLSSocket, readMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (error?: unknown): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
      if (error === undefined) resolve();
      else reject(error as Error);
    };
    const stop = (): void => end(signal.reason);
    const late = setTimeout(
      () => end(new DeliveryProblem('It did not say in time that it has read everything.')),
      readMs,
    );
    signal.addEventListener('abort', stop, { once: true });
    let flushed = false;
    secure.once('error', end);
    secure.once('close', () => end(new DeliveryProblem('It broke off the connection.')));
    secure.once('end', () => {
      if (flushed) end();
      else end(new DeliveryProblem('It ended the connection before it had read everything.'));
    });
    secure.resume();
    secure.end(() => (flushed = true));
  });
