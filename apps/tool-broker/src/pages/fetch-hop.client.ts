/** Asks a server for one URL through egress. Guarantees that it reads no more than it may, however the body is packed, and that a body cut off on its way is no page. */
import { type IncomingMessage, request } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { destinationOf, EgressRefused, openTunnel, secureTunnel, type WayOut } from '@bravo/chassis';
import { LIMITS } from '@bravo/policy';
import { FetchFailed, type FetchHop, type Hop, type HopRequest } from './fetch-hop.ts';

export interface FetchTiming {
  readonly connectMs: number;
  readonly idleMs: number;
  readonly replyMs: number;
}

const seconds = (name: keyof typeof LIMITS): number => LIMITS[name].value * 1_000;
export const FETCH_TIMING: FetchTiming = {
  connectMs: seconds('net-resolve') + seconds('net-connect'),
  idleMs: seconds('net-idle'),
  replyMs: seconds('net-reply'),
};

const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_HEADER_BYTES = 32 * 1024;

export const createFetchHop =
  (way: WayOut, timing: FetchTiming = FETCH_TIMING): FetchHop =>
  async (asked, signal) => {
    const late = AbortSignal.timeout(timing.replyMs);
    const either = AbortSignal.any([signal, late]);
    try {
      return await fetchOnce(way, timing, asked, either);
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw new FetchFailed('fetch_timeout', 'The server did not finish its reply in time.');
      throw toFailure(error);
    }
  };

const fetchOnce = async (
  way: WayOut,
  { connectMs, idleMs }: FetchTiming,
  { url, who, toolCallId, maxBytes }: HopRequest,
  signal: AbortSignal,
): Promise<Hop> => {
  const { host, port, secure } = destinationOf(url);
  const to = {
    ...({ purpose: 'fetch', reach: 'public', host, port, decisionId: toolCallId } as const),
    ...{ workspaceId: who.workspaceId, conversationId: who.conversationId, userId: who.userId },
  };
  const timing = { connectMs, signal };
  const tunnel = await openTunnel(way, to, timing);
  const stream = secure ? await secureTunnel(way, tunnel, host, timing) : tunnel;
  let isSilent = false;
  try {
    stream.setTimeout(idleMs, () => {
      isSilent = true;
      stream.destroy();
    });
    const reply = await ask(url, stream, signal);
    const status = reply.statusCode ?? 0;
    if (REDIRECTS.includes(status)) return { kind: 'redirect', location: reply.headers.location };
    // A part of a page was not asked for.
    if (status < 200 || status > 299 || status === 206)
      return { kind: 'status', status, retryAfterMs: readRetryAfter(reply.headers['retry-after']) };
    return { kind: 'page', ...(await readBody(reply, maxBytes)) };
  } catch (error) {
    throw isSilent ? new FetchFailed('fetch_silent', 'The server fell silent.') : error;
  } finally {
    stream.destroy();
    tunnel.destroy();
  }
};

const ask = (url: URL, stream: Duplex, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asked = request({
      ...{ method: 'GET', path: `${url.pathname}${url.search}`, host: url.hostname, signal },
      maxHeaderSize: MAX_HEADER_BYTES,
      createConnection: () => stream,
      // The same for everybody: nothing of the person, the workspace or the conversation.
      headers: {
        host: url.host,
        accept: 'text/markdown, */*;q=0.9',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'Bravo fetch_url',
        connection: 'close',
      },
    });
    asked.once('response', resolve);
    asked.once('error', reject);
    stream.once('error', reject);
    asked.end();
  });

const readBody = async (
  reply: IncomingMessage,
  maxBytes: number,
): Promise<{ content: Uint8Array; truncated: boolean }> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of unpacked(reply) as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > maxBytes) return { content: Buffer.concat(parts).subarray(0, maxBytes), truncated: true };
  }
  if (!reply.complete) throw new FetchFailed('fetch_cut_off', 'The connection ended before the whole page had come.');
  return { content: Buffer.concat(parts), truncated: false };
};

const unpacked = (reply: IncomingMessage): Readable => {
  const packing = (reply.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpack = {
    identity: undefined,
    '': undefined,
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  if (!Object.hasOwn(unpack, packing))
    throw new FetchFailed('fetch_encoding', 'The page is packed in a way that was not asked for.');
  const create = unpack[packing as keyof typeof unpack];
  if (create === undefined) return reply;
  const plain = create();
  // An error of one side ends the other: nobody waits for bytes that never come.
  reply.once('error', (error) => plain.destroy(error));
  reply.once('aborted', () =>
    plain.destroy(new FetchFailed('fetch_cut_off', 'The connection ended before the whole page had come.')),
  );
  return reply.pipe(plain);
};

/** Seconds, or a date; nothing else is a promise. */
const readRetryAfter = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  const ms = /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

const toFailure = (error: unknown): FetchFailed => {
  if (error instanceof FetchFailed) return error;
  if (error instanceof EgressRefused) return new FetchFailed(`egress_${error.code}`, error.message, { cause: error });
  const code = String((error as { code?: unknown }).code ?? '');
  if (/CERT|SIGNED|TLS|SSL/.test(code))
    return new FetchFailed('fetch_certificate', 'The server could not prove that it is that host.', { cause: error });
  if (/^HPE_/.test(code))
    return new FetchFailed('fetch_garbled', 'The server answered with something that is no HTTP.', { cause: error });
  if (/^Z_/.test(code))
    return new FetchFailed('fetch_garbled', 'The page is packed in a way that cannot be undone.', { cause: error });
  return new FetchFailed('fetch_cut_off', 'The connection ended before the whole page had come.', { cause: error });
};
