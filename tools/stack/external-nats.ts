/** Checks a NATS server somebody else runs before anything is started; every refusal is one sentence with its remedy. */
import { connect } from 'node:net';
import { connect as connectNats } from '@nats-io/transport-node';
import { newEnough, parseNatsVersion } from './nats-program.ts';

interface ServerInfo {
  readonly version?: string;
  readonly jetstream?: boolean;
}

const greeting = (host: string, port: number): Promise<ServerInfo> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 5_000 });
    const fail = (reason: string): void => {
      socket.destroy();
      reject(new Error(reason));
    };
    socket.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ECONNREFUSED' ? 'nothing listens there' : error.message),
    );
    socket.once('timeout', () => fail('it does not answer'));
    socket.once('data', (data) => {
      socket.destroy();
      const text = data.toString();
      if (!text.startsWith('INFO ')) return reject(new Error('what answers there is no NATS server'));
      resolve(JSON.parse(text.slice(5).split('\r\n')[0] ?? '{}') as ServerInfo);
    });
  });

export const checkNats = async (url: string, user: string, password: string): Promise<void> => {
  const remedy = 'Correct BRAVO_NATS_URL, or unset it to use a NATS server of our own.';
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    throw new Error(`BRAVO_NATS_URL is no URL: it must look like nats://host:4222. ${remedy}`);
  }
  const where = `${address.hostname}:${address.port || '4222'}`;
  const fail = (reason: string): never => {
    throw new Error(`The NATS server at ${where} cannot be used: ${reason}. ${remedy}`);
  };
  const info = await greeting(address.hostname, Number(address.port || 4222)).catch((error: Error) => fail(error.message));
  if (!newEnough(parseNatsVersion(`v${info.version ?? ''}`))) fail(`it is version ${info.version ?? 'unknown'}, and 2.10 or newer is needed`);
  if (!info.jetstream) fail('it runs without JetStream; start it with --jetstream');
  try {
    const connection = await connectNats({ servers: url, ...(user ? { user, pass: password } : {}), timeout: 5_000 });
    await connection.close();
  } catch (error) {
    fail(`it refuses the user (${(error as Error).message}); set BRAVO_NATS_USER and BRAVO_NATS_PASSWORD`);
  }
};
