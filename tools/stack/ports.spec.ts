/** Ports: chosen free, remembered, never taken from a stranger; a pinned one that is taken is a sentence, not a surprise. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import { choosePorts, portIsFree } from './ports.ts';
import { portRequests } from './plan.ts';
import { pinnedPort } from './prepare-stack.ts';

const strangers: Server[] = [];
const strangerOn = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    strangers.push(server);
  });
afterEach(async () => {
  for (const server of strangers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

describe('choosePorts', () => {
  it('gives each request a free port of its own', async () => {
    const ports = await choosePorts([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    expect(new Set(Object.values(ports)).size).toBe(3);
    for (const port of Object.values(ports)) expect(await portIsFree(port)).toBe(true);
  });

  it('keeps a remembered port and replaces one a stranger holds', async () => {
    const { kept } = await choosePorts([{ name: 'kept' }]);
    const taken = await strangerOn();
    const again = await choosePorts([
      { name: 'kept', remembered: kept },
      { name: 'moved', remembered: taken },
    ]);
    expect(again['kept']).toBe(kept);
    expect(again['moved']).not.toBe(taken);
  });

  it('refuses a pinned port that is taken, naming it and the remedy', async () => {
    const taken = await strangerOn();
    await expect(choosePorts([{ name: 'gateway', pinned: taken }])).rejects.toThrow(
      new RegExp(`^Port ${taken} \\(gateway\\) is used by another program: .*BRAVO_PORT=`),
    );
  });

  it('tries the preferred port first and takes another when it is taken', async () => {
    const taken = await strangerOn();
    const { gateway } = await choosePorts([{ name: 'gateway', preferred: taken }]);
    expect(gateway).not.toBe(taken);
  });
});

describe('portRequests', () => {
  it('pins the address people know and asks for no port of a server that is not ours', () => {
    const requests = portRequests({ gateway: 8300, 'identity.grpc': 21000 }, undefined, { postgres: false, nats: true });
    expect(requests[0]).toMatchObject({ name: 'gateway', pinned: 8300 });
    expect(requests.map(({ name }) => name)).not.toContain('postgres');
    expect(requests.find(({ name }) => name === 'identity.grpc')?.remembered).toBe(21000);
    expect(portRequests({ gateway: 8300 }, 9000, { postgres: true, nats: true })[0]?.pinned).toBe(9000);
  });
});

describe('pinnedPort', () => {
  it.each([undefined, ''])('reads %p as unset', (value) => expect(pinnedPort(value)).toBeUndefined());
  it.each(['abc', '0', '70000', '80.5'])('refuses %p', (value) => expect(() => pinnedPort(value)).toThrow(/BRAVO_PORT/));
});
