/** Asks one process whether it is well; an answer that does not come in time is a no. */
import { connect } from 'node:net';
import pg from 'pg';
import type { HealthProbe } from './plan.ts';

const natsGreets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (text) => end(text.toString().startsWith('INFO ')));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });

const postgresAnswers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
};

const httpAnswers = async (port: number, path: string): Promise<boolean> => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(3_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
};

export const isHealthy = (probe: HealthProbe): Promise<boolean> => {
  switch (probe.kind) {
    case 'http':
      return httpAnswers(probe.port, probe.path);
    case 'postgres':
      return postgresAnswers(probe.url);
    case 'nats':
      return natsGreets(probe.port);
  }
};

/** Polls until well, until `gaveUp` says there is no point, or until the time is over. */
export const waitHealthy = async (probe: HealthProbe, timeoutMs: number, gaveUp: () => boolean): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline && !gaveUp()) {
    if (await isHealthy(probe)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
};
