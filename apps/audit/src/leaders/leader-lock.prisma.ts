/** Lets one process at a time do what must be done in order. Guarantees that a process whose lock may be gone stops before it asks for it again; it must never lead without a connection that holds the lock. */
import pg from 'pg';

export interface LeaderOptions {
  readonly url: string;
  /** Begins the work; it is stopped when the lock is lost or the process ends. */
  readonly begin: () => { stop(): Promise<void> };
  readonly onChange: (leading: boolean) => void;
  /** How often a follower asks and a leader looks whether its connection is alive; 1 s unless said. */
  readonly lookMs?: number;
}

export interface Leader {
  leading(): boolean;
  stop(): Promise<void>;
}

/** Of the session, so that it goes with the connection: a killed leader frees it at once. */
const LOCK = [0x62726176, 0x6c656164] as const;

export const startLeading = ({ url, begin, onChange, lookMs = 1_000 }: LeaderOptions): Leader => {
  let stopped = false;
  let leading = false;
  let wake: () => void = () => undefined;
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, lookMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped) wake();
    });

  const hold = async (client: pg.Client, lost: () => boolean): Promise<void> => {
    while (!stopped && !lost()) {
      const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS mine', [...LOCK]);
      if (rows[0]?.mine) break;
      await rest();
    }
    if (stopped || lost()) return;
    const work = begin();
    leading = true;
    onChange(true);
    try {
      while (!stopped && !lost()) {
        await rest();
        // A connection that the other side forgot shows by an answer that does not come.
        await client.query('SELECT 1');
      }
    } finally {
      await work.stop();
      leading = false;
      onChange(false);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5_000,
        query_timeout: 5_000,
        keepAlive: true,
        application_name: 'audit-leader',
      });
      let lost = false;
      const lose = (): void => {
        lost = true;
        wake();
      };
      client.on('error', lose);
      client.on('end', lose);
      try {
        await client.connect();
        await hold(client, () => lost);
      } catch {
        // The database is away: nothing can be recorded either, and who leads is settled when it is back.
      } finally {
        await client.end().catch(() => undefined);
      }
      if (!stopped) await rest();
    }
  };
  const done = loop();

  return {
    leading: () => leading,
    async stop() {
      stopped = true;
      wake();
      await done;
    },
  };
};
