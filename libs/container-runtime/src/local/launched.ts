/** A container whose first process was started, however that was done. */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

export interface Launched {
  readonly child: ChildProcess;
  /** Loopback port of this machine that leads to it. */
  readonly port: number;
  /** Whether what answers there is the container and nobody else. */
  serves(): Promise<boolean>;
  /** A connection to its own port, where it has one that the host's ports do not lead to. */
  connect(): Promise<Socket>;
  /** Asks everything in it to end. */
  terminate(): void;
  /** Whether the kernel ended something of it for want of memory; always false where the kernel does not count. */
  ranOutOfMemory(): Promise<boolean>;
  /** Lets go of what this process holds for it. */
  close(): Promise<void>;
}
