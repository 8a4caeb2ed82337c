/** Writes a file piece by piece at the client's pace, as something to be kept and never shown as a page of ours; what fails after the first piece cuts it short. */
import { once } from 'node:events';
import { Fault } from '@bravo/faults';
import type { FastifyReply } from 'fastify';
import { fileTag } from './change-tokens.ts';
import type { FileView } from './file-routes.ts';

export const writeBytes = async (
  reply: FastifyReply,
  ifNoneMatch: string | undefined,
  open: (gone: AbortSignal) => AsyncIterable<FileView | Uint8Array>,
): Promise<void> => {
  const gone = new AbortController();
  reply.raw.on('close', () => gone.abort());
  const pieces = open(gone.signal)[Symbol.asyncIterator]();
  try {
    const { value: file, done } = await pieces.next();
    if (done || file instanceof Uint8Array) throw new Fault('unavailable', 'The file was not described. Try again.');
    const tag = fileTag(file.change_token);
    void reply.header('etag', tag);
    if (
      ifNoneMatch !== undefined &&
      ifNoneMatch.split(',').some((one) => [tag, `W/${tag}`, '*'].includes(one.trim()))
    ) {
      void reply.status(304).send();
      return;
    }
    let piece = await pieces.next();
    reply.hijack();
    const { raw } = reply;
    raw.on('error', () => gone.abort());
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'application/octet-stream',
      'content-length': file.size,
      'content-disposition': dispositionOf(file.path),
      // Whatever is in it: nobody's page.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store, no-transform',
    });
    try {
      for (; !piece.done && !gone.signal.aborted; piece = await pieces.next())
        if (piece.value instanceof Uint8Array && !raw.write(piece.value))
          await once(raw, 'drain', { signal: gone.signal }).catch(() => undefined);
      raw.end();
    } catch {
      // Shorter than its length: every client sees that it was cut off.
      raw.destroy();
    }
  } finally {
    await pieces.return?.();
  }
};

/** The name is a program's choice, so only plain letters of it stand in the old form. */
export const dispositionOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1).toWellFormed();
  const plain = name.replace(/[^A-Za-z0-9._ -]/g, '_');
  const exact = encodeURIComponent(name).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
};
