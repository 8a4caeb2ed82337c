/** A process with a pod's user gets no byte from the gateway, whatever it holds; anybody else is served. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { readKernelSockets, refusePodPeers, uidOfPeer } from './refuse-pod-peers.client.ts';

const FIRST = 61_000;
const refused: number[] = [];
const server = createServer((_request, response) => response.end('served'));
let port = 0;

beforeAll(async () => {
  refusePodPeers(server, {
    users: { first: FIRST, count: 10 },
    readSockets: readKernelSockets,
    refused: (uid) => refused.push(uid),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** By the shell alone, because a pod's user may not be able to reach any program of this checkout. */
const askAs = async (uid: number): Promise<string> => {
  const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
  const { stdout } = await promisify(execFile)('/bin/bash', ['-c', ask], {
    uid,
    gid: uid,
    cwd: '/',
    timeout: 5_000,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  return stdout.split('\r\n\r\n')[1] ?? '';
};

describe('a connection to the gateway [approval.people-only] [hostile.doors]', () => {
  const asRoot = process.getuid?.() === 0 ? it : it.skip;

  asRoot('of a pod is cut before a request is read', async () => {
    expect(await askAs(FIRST)).toBe('');
    expect(await askAs(FIRST + 9)).toBe('');
    expect(refused).toEqual([FIRST, FIRST + 9]);
  });

  asRoot('of any other user is served', async () => {
    expect(await askAs(FIRST + 10)).toBe('served');
    expect(await askAs(FIRST - 1)).toBe('served');
  });

  it('is told from others by both of its ends', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0',
      '   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 61003        0 2 1 0 20 4 30 10 -1',
      '   2: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1',
    ].join('\n');
    const ends = { localAddress: '127.0.0.1', localPort: 8080, remoteAddress: '127.0.0.1', remotePort: 50_000 };
    expect(uidOfPeer(table, ends)).toBe(61_003);
    expect(uidOfPeer(table, { ...ends, localAddress: '::ffff:127.0.0.1', remoteAddress: '::ffff:127.0.0.1' })).toBe(
      61_003,
    );
    expect(uidOfPeer(table, { ...ends, remotePort: 50_001 })).toBeUndefined();
  });
});
