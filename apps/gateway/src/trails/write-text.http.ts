/** Writes a long answer piece by piece at the client's pace. Guarantees that what fails before the first piece is a problem document, and that what fails later cuts the answer short so that nobody takes it for whole. */
import { once } from 'node:events';
import type { FastifyReply } from 'fastify';

export const writeText = async (
  reply: FastifyReply,
  contentType: string,
  open: (gone: AbortSignal) => AsyncIterable<string>,
): Promise<void> => {
  const gone = new AbortController();
  reply.raw.on('close', () => gone.abort());
  const pieces = open(gone.signal)[Symbol.asyncIterator]();
  let piece = await pieces.next();
  reply.hijack();
  const { raw } = reply;
  raw.on('error', () => gone.abort());
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': contentType,
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  try {
    for (; !piece.done && !gone.signal.aborted; piece = await pieces.next())
      if (!raw.write(piece.value)) await once(raw, 'drain', { signal: gone.signal }).catch(() => undefined);
    raw.end();
  } catch {
    // Chunked transfer without its end: every client sees that it was cut off.
    raw.destroy();
  } finally {
    await pieces.return?.();
  }
};
