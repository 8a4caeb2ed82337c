/** Writes an event stream to one client at the client's pace; a client that goes away ends the writing and nothing else. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { encodeEvent, encodeRetry, HEARTBEAT } from './encode-event.ts';
import { eventIdOf } from './stream-position.ts';
import type { PositionedEvent } from './turn-log.ts';

export interface EventStream {
  readonly conversationId: string;
  readonly resync: boolean;
  events(signal: AbortSignal): AsyncIterable<PositionedEvent>;
}

export interface StreamOptions {
  readonly heartbeatMs: number;
}

const RETRY_MS = 1_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Some proxies collect an answer before passing it on unless they are told not to.
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
} as const;

/** Resolves when the stream has ended or the client is gone. */
export const writeEvents = async (
  reply: FastifyReply,
  stream: EventStream,
  { heartbeatMs }: StreamOptions,
): Promise<void> => {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  raw.on('close', () => gone.abort());
  raw.on('error', () => gone.abort());
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
  // A heartbeat is for an idle connection; one that waits for the client to read is not idle.
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(HEARTBEAT);
  }, heartbeatMs);
  try {
    await write(raw, encodeRetry(RETRY_MS), gone.signal);
    if (stream.resync) await write(raw, encodeEvent({ event: 'resync', data: {} }), gone.signal);
    for await (const positioned of stream.events(gone.signal)) {
      if (gone.signal.aborted) return;
      const told = encodeOnce(stream.conversationId, positioned);
      if (!raw.write(told)) await drained(raw, gone.signal);
    }
  } finally {
    clearInterval(heartbeat);
    raw.end();
  }
};

/** All who listen to a conversation are told the very same bytes; an event belongs to one conversation. */
const encoded = new WeakMap<PositionedEvent, Buffer>();

const encodeOnce = (conversationId: string, positioned: PositionedEvent): Buffer => {
  const known = encoded.get(positioned);
  if (known !== undefined) return known;
  const { event, ...place } = positioned;
  const bytes = Buffer.from(encodeEvent(event, eventIdOf(conversationId, place)));
  encoded.set(positioned, bytes);
  return bytes;
};

const write = async (raw: ServerResponse, text: string, gone: AbortSignal): Promise<void> => {
  if (!gone.aborted && !raw.write(text)) await drained(raw, gone);
};

const drained = async (raw: ServerResponse, gone: AbortSignal): Promise<void> => {
  await once(raw, 'drain', { signal: gone }).catch(() => undefined);
};
