/** Both ends of a named pipe that takes one stream of a program; the reading end never blocks the process. */
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';

export interface OpenPipe {
  readonly reader: Socket;
  /** Descriptor for the child; ours is closed right after the child has its own. */
  readonly writer: number;
  closeWriter(): void;
  /** Resolves when every writer is gone and everything was read, or the reader was destroyed. */
  readonly closed: Promise<void>;
}

/** Neither open waits: the first is told not to, and after it the second has its reader. */
export const openPipe = (path: string): OpenPipe => {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  const reader = new Socket({ fd: readEnd, readable: true, writable: false });
  // A reset is how a pipe ends when its writers were killed; there is nothing to answer it with.
  reader.on('error', () => undefined);
  let writerOpen = true;
  return {
    reader,
    writer,
    closed: new Promise((resolve) => reader.once('close', () => resolve())),
    closeWriter() {
      if (writerOpen) closeSync(writer);
      writerOpen = false;
    },
  };
};
