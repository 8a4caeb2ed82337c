/**
 * The one way a service reaches anything outside: a tunnel through egress, opened with a fresh ticket.
 * TLS is spoken with the destination itself, under the name the ticket has; egress sees bytes it cannot read.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect as connectTls, rootCertificates, type TLSSocket } from 'node:tls';
import { EgressRefused, isRefusal, REFUSAL_HEADER } from './egress-refusals.ts';
import type { EgressRequest, SignTicket } from './egress-ticket.ts';

/** An open connection, for whoever only hands it on. */
export type Tunnel = Socket;

/** What somebody needs to leave the cluster. */
export interface WayOut {
  /** host:port of egress. */
  readonly address: string;
  readonly sign: SignTicket;
  /** Certificates that are trusted besides the usual ones, as PEM. */
  readonly certificates?: readonly string[];
}

/** Certificates of a file, or none where no file is named. @throws Error naming it. */
export const readCertificates = (file: string): readonly string[] => {
  if (file === '') return [];
  const text = readFileSync(file, 'utf8');
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  if (!found) throw new Error(`${file} holds no certificate; it must be PEM.`);
  return found;
};

export interface TunnelTiming {
  readonly connectMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws EgressRefused, or the signal's reason. */
export const openTunnel = async (
  way: WayOut,
  to: EgressRequest,
  { connectMs, signal }: TunnelTiming,
): Promise<Socket> => {
  const ticket = await way.sign(to);
  const authority = `${to.host.includes(':') ? `[${to.host}]` : to.host}:${to.port}`;
  const proxy = new URL(`http://${way.address}`);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const asked = request({
      ...{ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: authority, agent: false },
      headers: { host: authority, 'proxy-authorization': `Bearer ${ticket}` },
      ...(signal === undefined ? {} : { signal }),
    });
    const late = setTimeout(() => asked.destroy(new EgressRefused('connect_timeout')), connectMs);
    asked.once('connect', (reply, socket, head) => {
      clearTimeout(late);
      const code = reply.headers[REFUSAL_HEADER];
      if (reply.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket as Socket);
        return;
      }
      socket.destroy();
      reject(new EgressRefused(isRefusal(code) ? code : 'egress_gone'));
    });
    asked.once('error', (cause) => {
      clearTimeout(late);
      if (signal?.aborted) reject(signal.reason as Error);
      else reject(cause instanceof EgressRefused ? cause : new EgressRefused('egress_gone', { cause }));
    });
    asked.end();
  });
};

export interface TlsTerms extends Pick<WayOut, 'certificates'> {
  /** Who we are to a destination that asks for a certificate, as PEM. */
  readonly identity?: { readonly certificate: string; readonly key: string } | undefined;
  /** Spoken inside; HTTP unless said, none where empty. */
  readonly protocols?: readonly string[];
}

/** TLS with the destination over an open tunnel; its certificate must be for `host`. */
export const secureTunnel = (
  way: TlsTerms,
  socket: Socket,
  host: string,
  { connectMs, signal }: TunnelTiming,
): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const more = way.certificates ?? [];
    const secure = connectTls({
      socket,
      ...(host.includes(':') || /^[\d.]+$/.test(host) ? {} : { servername: host }),
      host,
      ...(way.protocols?.length === 0 ? {} : { ALPNProtocols: [...(way.protocols ?? ['http/1.1'])] }),
      ...(more.length === 0 ? {} : { ca: [...rootCertificates, ...more] }),
      ...(way.identity ? { cert: way.identity.certificate, key: way.identity.key } : {}),
    });
    const end = (error: Error): void => {
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
      secure.destroy();
      socket.destroy();
      reject(error);
    };
    const stop = (): void => end(signal?.reason as Error);
    const late = setTimeout(() => end(new EgressRefused('connect_timeout')), connectMs);
    signal?.addEventListener('abort', stop, { once: true });
    secure.once('error', end);
    secure.once('close', () => end(new Error('The connection was closed before it was secured.')));
    secure.once('secureConnect', () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
      secure.removeListener('error', end);
      secure.removeAllListeners('close');
      resolve(secure);
    });
  });

/** The destination of a URL, as a ticket names it. */
export const destinationOf = (url: URL): { host: string; port: number; secure: boolean } => {
  const secure = url.protocol === 'https:';
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return { host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port), secure };
};
