/** Starts a reference server in a process of its own that ends with this one; it says its port as its first line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { nodeProgram } from '@bravo/tools/stack/checkout';

export interface ChildServer {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

export const startChildServer = async (program: string, ...args: string[]): Promise<ChildServer> => {
  // Its standard input is held open by us alone: it ends when we do.
  const child = spawn(nodeProgram(), [path.join(import.meta.dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)]);
  if (first === undefined || child.pid === undefined) throw new Error(`${program} ended before it listened`);
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${String(first[0]).trim()}`,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
