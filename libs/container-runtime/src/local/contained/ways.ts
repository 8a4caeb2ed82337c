/**
 * The host's ends of a pod's connections: Unix sockets that lead to the few addresses named at the start and to nothing else,
 * and tunnels that the pod keeps open for whoever speaks to it. What the pod sends is only ever passed on as bytes.
 */
import { chmod, chown, mkdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Endpoint } from '../../container-runtime.port.ts';

/** Open at the same time through one way; further ones are refused until some have ended. */
const MOST_CONNECTIONS = 64;
const MOST_IDLE_TUNNELS = 16;
const TUNNEL_MS = 3_000;
const OPEN = Buffer.from([1]);

export const wayOutName = (index: number): string => `out-${index}`;
export const WAY_IN = 'in';

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Ends both when one ends; half-closed connections stay open in the other direction. */
const pass = (one: Socket, other: Socket): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
};

export class Ways {
  readonly #servers: Server[] = [];
  readonly #open = new Set<Socket>();
  readonly #idle: Socket[] = [];
  readonly #waiting: ((tunnel: Socket) => void)[] = [];
  #port = 0;

  /** Loopback port of the host that leads to the pod. */
  get port(): number {
    return this.#port;
  }

  /**
   * @param owner uid that may use the sockets, and nobody else but root.
   * @param relay whether a loopback port of the host leads to it too, which everybody on the host can connect to.
   */
  async open(directory: string, reaches: readonly Endpoint[], owner: number, relay: boolean): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o711 });
    await chmod(directory, 0o711);
    const own = async (name: string, take: (socket: Socket) => void): Promise<void> => {
      const socket = join(directory, name);
      await this.#listen((server) => server.listen(socket), take);
      await chown(socket, owner, owner);
      await chmod(socket, 0o600);
    };
    for (const [index, { host, port }] of reaches.entries()) {
      await own(wayOutName(index), (pod) => pass(pod, this.#keep(connect({ host, port, allowHalfOpen: true }))));
    }
    await own(WAY_IN, (tunnel) => this.#takeTunnel(tunnel));
    if (relay) await this.#openRelay();
  }

  /** A connection to the program's own port. Rejects when there is none within the time. */
  async connect(): Promise<Socket> {
    const tunnel = await this.#tunnel(TUNNEL_MS);
    if (tunnel === undefined) throw new Error('nothing answers inside the container');
    return tunnel;
  }

  async #openRelay(): Promise<void> {
    const relay = await this.#listen(
      (server) => server.listen(0, '127.0.0.1'),
      (caller) => void this.#relay(caller),
    );
    const address = relay.address();
    this.#port = typeof address === 'object' && address ? address.port : 0;
  }

  /** Whether something listens at the pod's own port now. */
  async answers(): Promise<boolean> {
    const tunnel = await this.#tunnel(500);
    tunnel?.destroy();
    return tunnel !== undefined;
  }

  async close(): Promise<void> {
    const ends = this.#servers.map(closed);
    for (const socket of this.#open) socket.destroy();
    await Promise.all(ends);
  }

  async #listen(listen: (server: Server) => void, take: (socket: Socket) => void): Promise<Server> {
    const server = createServer({ allowHalfOpen: true }, (socket) => take(this.#keep(socket)));
    server.maxConnections = MOST_CONNECTIONS;
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.once('listening', resolve);
      listen(server);
    });
    return server;
  }

  #keep(socket: Socket): Socket {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#open.delete(socket));
    return socket;
  }

  #takeTunnel(tunnel: Socket): void {
    const next = this.#waiting.shift();
    if (next !== undefined) return next(tunnel);
    if (this.#idle.length >= MOST_IDLE_TUNNELS) return void tunnel.destroy();
    this.#idle.push(tunnel);
    tunnel.on('close', () => {
      const at = this.#idle.indexOf(tunnel);
      if (at >= 0) this.#idle.splice(at, 1);
    });
  }

  /** A connection to the pod's own port, or undefined when there is none within the time. */
  async #tunnel(patienceMs: number): Promise<Socket | undefined> {
    const deadline = Date.now() + patienceMs;
    const tunnel = this.#idle.shift() ?? (await this.#nextTunnel(patienceMs));
    if (tunnel === undefined) return undefined;
    const opened = await new Promise<boolean>((resolve) => {
      const settle = (answer: boolean): void => {
        clearTimeout(late);
        resolve(answer);
      };
      const late = setTimeout(() => settle(false), Math.max(1, deadline - Date.now()));
      for (const over of ['end', 'close']) tunnel.once(over, () => settle(false));
      tunnel.once('data', (first: Buffer) => {
        tunnel.pause();
        if (first.length > 1) tunnel.unshift(first.subarray(1));
        settle(first[0] === OPEN[0]);
      });
      tunnel.write(OPEN);
    });
    if (opened) return tunnel;
    tunnel.destroy();
    return undefined;
  }

  #nextTunnel(patienceMs: number): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const take = (tunnel: Socket): void => {
        clearTimeout(late);
        resolve(tunnel);
      };
      const late = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(undefined);
      }, patienceMs);
      this.#waiting.push(take);
    });
  }

  async #relay(caller: Socket): Promise<void> {
    caller.pause();
    const tunnel = await this.#tunnel(TUNNEL_MS);
    if (tunnel === undefined || caller.destroyed) {
      caller.destroy();
      tunnel?.destroy();
      return;
    }
    pass(caller, tunnel);
  }
}
