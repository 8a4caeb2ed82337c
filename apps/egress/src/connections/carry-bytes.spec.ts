/** How a connection ends on one side is how it ends on the other: an end in order is an answer, and nothing else may look like one. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { carryBytes } from './carry-bytes.client.ts';

const caps = { sentBytes: 1e6, receivedBytes: 1e6, lifeMs: 60_000, idleMs: 60_000 };
const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** Both ends of a new connection. */
const pair = async (): Promise<[Socket, Socket]> => {
  let accept: (socket: Socket) => void = () => undefined;
  const accepted = new Promise<Socket>((resolve) => (accept = resolve));
  const server = createServer({ allowHalfOpen: true }, (socket) => accept(socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const near = connect({ port: (server.address() as { port: number }).port, host: '127.0.0.1', allowHalfOpen: true });
  const far = await accepted;
  for (const socket of [near, far]) socket.on('error', () => undefined);
  return [near, far];
};

describe('a connection', () => {
  it.each([
    ['reset', (peer: Socket) => peer.resetAndDestroy()],
    ['ended', (peer: Socket) => peer.end()],
  ])('that the other side %s is that for whoever opened it [trail.delivery-order]', async (how, behave) => {
    const [client, inside] = await pair();
    const [outside, peer] = await pair();
    const carried = carryBytes(inside, outside, caps, new AbortController().signal);
    const seen = new Promise<string>((resolve) => {
      client.once('error', () => resolve('reset'));
      client.once('end', () => resolve('ended'));
    });
    client.resume();
    peer.resume();
    client.end('all of it');
    await new Promise((resolve) => peer.once('end', resolve));
    behave(peer);
    expect({ seen: await seen, outcome: (await carried).outcome }).toEqual({ seen: how, outcome: how });
  });
});
