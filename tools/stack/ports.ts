/** Chooses loopback ports nobody listens on; it never takes one over. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const portIsFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/**
 * A free port outside the range the kernel hands to outgoing connections, so that a remembered port is rarely
 * taken by accident between two starts. `taken` names ports already promised to someone else.
 */
export const chooseFreePort = async (taken: ReadonlySet<number> = new Set()): Promise<number> => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(20_000, 30_000);
    if (!taken.has(port) && (await portIsFree(port))) return port;
  }
  throw new Error('No free loopback port was found between 20000 and 30000: stop some programs that listen there.');
};

export interface PortRequest {
  readonly name: string;
  /** The port of the last start; another is chosen when a stranger holds it. */
  readonly remembered?: number | undefined;
  /** The port a person asked for, or one their bookmarks depend on: never replaced by another. */
  readonly pinned?: number | undefined;
  /** Tried first when nothing is remembered. */
  readonly preferred?: number | undefined;
}

export class PortTakenError extends Error {
  readonly port: number;
  constructor(name: string, port: number) {
    super(
      `Port ${port} (${name}) is used by another program: stop that program, or choose another port with BRAVO_PORT=<number> ./bravo up.`,
    );
    this.name = 'PortTakenError';
    this.port = port;
  }
}

/** Resolves all requests at once, none twice. Throws PortTakenError for a pinned port that is taken. */
export const choosePorts = async (requests: readonly PortRequest[]): Promise<Record<string, number>> => {
  const chosen: Record<string, number> = {};
  const taken = new Set<number>();
  const take = (name: string, port: number): void => {
    chosen[name] = port;
    taken.add(port);
  };
  const [pinned, rest] = [requests.filter((r) => r.pinned), requests.filter((r) => !r.pinned)];
  for (const { name, pinned: port } of pinned) {
    if (port === undefined) continue;
    if (taken.has(port) || !(await portIsFree(port))) throw new PortTakenError(name, port);
    take(name, port);
  }
  for (const { name, remembered, preferred } of rest) {
    const wanted = remembered ?? preferred;
    const usable = wanted !== undefined && !taken.has(wanted) && (await portIsFree(wanted));
    take(name, usable ? wanted : await chooseFreePort(taken));
  }
  return chosen;
};
