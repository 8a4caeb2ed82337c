/**
 * Publishes outbox rows in the order they were committed, numbering events without a hole; at least once, never out of order.
 * One replica works at a time (an advisory lock); a row is marked published only after the stream holds it.
 */
import { type Bus, type StreamName } from './bus.port.ts';
import { type SqlDatabase } from './outbox.ts';

/** What the relay needs of a logger. */
export interface RelayLogger {
  warn(fields: object, message: string): void;
}

export interface OutboxRelayOptions {
  readonly database: SqlDatabase;
  /** Postgres schema of the app. */
  readonly schema: string;
  readonly bus: Bus;
  readonly logger: RelayLogger;
  /** How often to look when nobody nudged. */
  readonly intervalMs?: number;
  /** How long a nudge waits for the commits that follow close behind: they share one round. */
  readonly gatherMs?: number;
}

export interface OutboxRelay {
  /** Look now: call after a commit that appended. */
  nudge(): void;
  /** Age of the oldest row that the stream does not hold yet, 0 when there is none. */
  lagSeconds(): Promise<number>;
  /** Ends after the batch in hand. */
  stop(): Promise<void>;
}

interface Row {
  readonly id: bigint;
  readonly event_id: string;
  readonly stream: StreamName;
  readonly subject: string;
  readonly body: string;
  readonly sequence: bigint | null;
}

const BATCH = 200;
const LOCK_NAMESPACE = 0x6272766f;

export const startOutboxRelay = ({
  database,
  schema,
  bus,
  logger,
  intervalMs = 250,
  gatherMs = 15,
}: OutboxRelayOptions): OutboxRelay => {
  const table = `"${schema}"."outbox"`;
  let stopped = false;
  let wake: () => void = () => undefined;
  let nudged = false;

  const locked = <T>(
    work: (tx: Parameters<Parameters<SqlDatabase['$transaction']>[0]>[0]) => Promise<T>,
  ): Promise<T | undefined> =>
    database.$transaction(
      async (tx) => {
        const [lock] = await tx.$queryRawUnsafe<{ held: boolean }[]>(
          `SELECT pg_try_advisory_xact_lock(${LOCK_NAMESPACE}, hashtext($1)) AS held`,
          schema,
        );
        return lock?.held ? work(tx) : undefined;
      },
      { maxWait: 5_000, timeout: 30_000 },
    );

  /** Most looks find nothing: that costs one statement and no transaction. */
  const isEmpty = async (): Promise<boolean> => {
    const [row] = await database.$queryRawUnsafe<{ any: boolean }[]>(
      `SELECT EXISTS (SELECT 1 FROM ${table} WHERE "published_at" IS NULL) AS "any"`,
    );
    return row?.any !== true;
  };

  /** Numbers are committed before anything is published, so that a crash never gives one number to two events. */
  const number = () =>
    locked(async (tx) => {
      await tx.$executeRawUnsafe(
        `UPDATE ${table} AS o SET "sequence" = n."next" FROM (
           SELECT "id", (SELECT COALESCE(MAX("sequence"), 0) FROM ${table}) + ROW_NUMBER() OVER (ORDER BY "id") AS "next"
           FROM ${table} WHERE "sequence" IS NULL AND "stream" = 'EVENTS' AND "published_at" IS NULL ORDER BY "id" LIMIT ${BATCH}
         ) AS n WHERE o."id" = n."id"`,
      );
    });

  const publish = () =>
    locked(async (tx) => {
      const rows = await tx.$queryRawUnsafe<Row[]>(
        `SELECT "id", "event_id", "stream", "subject", "body", "sequence" FROM ${table}
         WHERE "published_at" IS NULL AND ("sequence" IS NOT NULL OR "stream" <> 'EVENTS') ORDER BY "sequence" NULLS LAST, "id" LIMIT ${BATCH}`,
      );
      const published: string[] = [];
      let failure: { readonly error: unknown } | undefined;
      for (const row of rows) {
        const body =
          row.sequence === null
            ? row.body
            : JSON.stringify({ ...(JSON.parse(row.body) as object), producerseq: Number(row.sequence) });
        try {
          await bus.publish(row.stream, row.subject, body, row.event_id);
        } catch (error) {
          // Nothing behind it goes first; what the stream holds already is marked all the same.
          failure = { error };
          break;
        }
        published.push(String(row.id));
      }
      if (published.length > 0)
        await tx.$executeRawUnsafe(
          `UPDATE ${table} SET "published_at" = now() WHERE "id" = ANY($1::text[]::bigint[])`,
          published,
        );
      return { full: rows.length === BATCH, failure };
    });

  const loop = async () => {
    let failures = 0;
    while (!stopped) {
      nudged = false;
      let full = false;
      try {
        if (!(await isEmpty())) {
          await number();
          const round = await publish();
          if (round?.failure) throw round.failure.error;
          full = round?.full === true;
        }
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1 || failures % 20 === 0)
          logger.warn({ err: error, failures }, 'the outbox could not be published; trying again');
      }
      if (stopped || full || nudged) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, failures > 0 ? Math.min(250 * failures, 2_000) : intervalMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (nudged && !stopped) await new Promise((resolve) => setTimeout(resolve, gatherMs));
    }
  };
  const done = loop();

  return {
    nudge() {
      nudged = true;
      wake();
    },
    async lagSeconds() {
      const [row] = await database.$queryRawUnsafe<{ lag: number | null }[]>(
        `SELECT EXTRACT(EPOCH FROM now() - MIN("created_at"))::float8 AS "lag" FROM ${table} WHERE "published_at" IS NULL`,
      );
      return Math.max(0, row?.lag ?? 0);
    },
    async stop() {
      stopped = true;
      wake();
      await done;
    },
  };
};
