/** A real NATS server with JetStream for one spec file, with an empty store; it is gone when the file is done. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renderNatsConfig, type NatsUser } from '@bravo/tools/stack/nats-config';
import { findNatsServer } from '@bravo/tools/stack/nats-program';
import { chooseFreePort } from '@bravo/tools/stack/ports';
import { startTethered } from './tethered-process.ts';
import { waitUntil } from './wait-until.ts';

export interface TestNats {
  readonly url: string;
  /** A user that may do everything in the account. */
  readonly user: string;
  readonly password: string;
  readonly port: number;
  /** Kills the server, waits for `meanwhile`, and starts it again on the same port with the same store. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** The same, with everything the server kept gone. */
  lose(): Promise<void>;
  stop(): Promise<void>;
}

const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTcp({ port, host: '127.0.0.1' });
    socket.once('data', (text) => {
      socket.destroy();
      resolve(text.toString().startsWith('INFO'));
    });
    socket.once('error', () => resolve(false));
  });

/** `users` adds users with narrower rights, as the services have them. */
export const startTestNats = async (users: readonly NatsUser[] = []): Promise<TestNats> => {
  const home = mkdtempSync(path.join(tmpdir(), 'bravo-test-nats-'));
  const port = await chooseFreePort();
  const everything: NatsUser = { name: 'test', password: 'test', publish: ['>'], subscribe: ['>'] };
  const configFile = path.join(home, 'nats.conf');
  const config = { port, storeDirectory: path.join(home, 'store'), users: [everything, ...users], durable: false };
  writeFileSync(configFile, renderNatsConfig(config), { mode: 0o600 });
  const command = await findNatsServer();
  const start = async () => {
    const server = startTethered({
      command,
      args: ['-c', configFile],
      cwd: home,
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      stopSignal: 'SIGTERM',
    });
    await waitUntil('NATS to answer', async () => {
      if (server.exited()) throw new Error(`it ended: ${server.output()}`);
      return greets(port);
    });
    return server;
  };
  let server = await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    user: everything.name,
    password: everything.password,
    port,
    restart: async (meanwhile) => {
      await server.stop();
      await meanwhile?.();
      server = await start();
    },
    lose: async () => {
      await server.stop();
      rmSync(config.storeDirectory, { recursive: true, force: true });
      server = await start();
    },
    stop: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
