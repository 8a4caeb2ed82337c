/** The bytes of a request, up to a limit; what is beyond it goes by unread and is not kept. */
import type { Readable } from 'node:stream';
import { Fault } from '@bravo/faults';

/** @throws Fault payload_too_large, unsupported_media_type where the body came as anything but bytes. */
export const readBytes = async (body: unknown, most: number): Promise<Buffer> => {
  // A request without a body has no media type either.
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (!isReadable(body))
    throw new Fault('unsupported_media_type', 'Send the bytes of the file as application/octet-stream.');
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    body.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= most) return void pieces.push(piece);
      pieces.length = 0;
      // The rest goes by unread: a connection that is cut off could not be told why.
      body.removeAllListeners('data').resume();
      reject(new Fault('payload_too_large', `A file may have ${most / 1024 / 1024} MiB.`));
    });
    body.once('end', () => resolve(Buffer.concat(pieces)));
    body.once('error', reject);
    body.once('close', () => reject(new Fault('invalid_argument', 'The upload was cut off.')));
  });
};

const isReadable = (body: unknown): body is Readable =>
  typeof body === 'object' && body !== null && 'pipe' in body && 'resume' in body;
