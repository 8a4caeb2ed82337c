/**
 * Cuts every connection that a local agent pod opens to the gateway: a pod reaches the broker and the model gateway, and
 * nothing that speaks to people. Pods on one machine share the host's loopback, so the kernel is asked who is calling.
 */
import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';

export interface PodUsers {
  readonly first: number;
  readonly count: number;
}

export interface RefusePodPeersParts {
  readonly users: PodUsers;
  /** Text of the kernel's table of TCP sockets. @throws where the machine has none. */
  readonly readSockets: () => string;
  readonly refused: (uid: number) => void;
}

/** `/proc/net/tcp` spells an IPv4 address as the hex of its bytes in the machine's order, and a port as plain hex. */
const kernelAddress = (address: string, port: number): string => {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number)
    .reverse();
  const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  return `${bytes.map((byte) => hex(byte, 2)).join('')}:${hex(port, 4)}`;
};

/** Owner of the socket at the other end of a loopback connection; undefined when that end is not on this machine. */
export const uidOfPeer = (
  sockets: string,
  socket: Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>,
): number | undefined => {
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  const theirs = kernelAddress(remoteAddress, remotePort);
  const ours = kernelAddress(localAddress, localPort);
  for (const line of sockets.split('\n')) {
    const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
    if (local === theirs && remote === ours) return Number(uid);
  }
  return undefined;
};

const isLoopback = (address = ''): boolean => address.replace(/^::ffff:/, '').startsWith('127.');

export const refusePodPeers = (server: Server, { users, readSockets, refused }: RefusePodPeersParts): void => {
  server.on('connection', (socket: Socket) => {
    if (!isLoopback(socket.remoteAddress)) return;
    const uid = uidOfPeer(readSockets(), socket);
    if (uid === undefined || uid < users.first || uid >= users.first + users.count) return;
    refused(uid);
    socket.destroy();
  });
};

export const readKernelSockets = (): string => readFileSync('/proc/net/tcp', 'latin1');
