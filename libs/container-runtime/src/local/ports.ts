/** Loopback ports: one nothing listens on now, and whether something does. Who it is, is another question. */
import { connect, createServer } from 'node:net';

export const chooseFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

export const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const settle = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', settle(true));
    socket.once('error', settle(false));
    socket.once('timeout', settle(false));
  });
