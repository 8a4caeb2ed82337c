/**
 * Publishes outbox rows in the order they were committed, numbering events without a hole; at least once, never out of order.
 * One replica works at a time (an advisory lock); a row is marked published only after the stream holds it. The record is here and
 * not in the stream: a stream that was lost is noticed, and all it may have held is published again.
 */
import { type Bus, type StreamName } from './bus.port.ts';
import { type SqlDatabase, type SqlTransaction } from './outbox.ts';

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

/** What came of one look at the rows that wait. */
interface Round {
  readonly full: boolean;
  readonly failure: { readonly error: unknown } | undefined;
}

const BATCH = 200;
/** How often an idle relay looks whether the streams are still the ones it published to. */
const LOOK_MS = 2_000;
/** As long as the stream of events keeps one: what is older nobody could have been about to read. */
const REWIND = '7 days';
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
  const streams = `"${schema}"."outbox_streams"`;
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
    locked(async (tx): Promise<Round> => {
      const rows = await tx.$queryRawUnsafe<Row[]>(
        `SELECT "id", "event_id", "stream", "subject", "body", "sequence" FROM ${table}
         WHERE "published_at" IS NULL AND ("sequence" IS NOT NULL OR "stream" <> 'EVENTS') ORDER BY "sequence" NULLS LAST, "id" LIMIT ${BATCH}`,
      );
      if (await rewind(tx, [...new Set(rows.map(({ stream }) => stream))])) return { full: true, failure: undefined };
      const published: string[] = [];
      const last = new Map<StreamName, number>();
      let failure: { readonly error: unknown } | undefined;
      for (const row of rows) {
        const body =
          row.sequence === null
            ? row.body
            : JSON.stringify({ ...(JSON.parse(row.body) as object), producerseq: Number(row.sequence) });
        try {
          last.set(row.stream, (await bus.publish(row.stream, row.subject, body, row.event_id)).sequence);
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
      for (const [stream, sequence] of last)
        await tx.$executeRawUnsafe(
          `UPDATE ${streams} SET "last_sequence" = GREATEST("last_sequence", $2) WHERE "stream" = $1`,
          stream,
          sequence,
        );
      return { full: rows.length === BATCH, failure };
    });

  /** Whether one of the streams is not the one that was published to, or ends before what it held; then all of it goes out again. */
  const rewind = async (tx: SqlTransaction, names: readonly StreamName[]): Promise<boolean> => {
    let rewound = false;
    for (const stream of names) {
      await bus.ensureStreams([stream]);
      const bounds = await bus.bounds(stream);
      const created = bounds.created.toISOString();
      const [known] = await tx.$queryRawUnsafe<{ created: string; last_sequence: bigint }[]>(
        `SELECT "created", "last_sequence" FROM ${streams} WHERE "stream" = $1`,
        stream,
      );
      if (known?.created === created && bounds.last >= Number(known.last_sequence)) continue;
      await tx.$executeRawUnsafe(
        `INSERT INTO ${streams} ("stream", "created", "last_sequence") VALUES ($1, $2, 0)
         ON CONFLICT ("stream") DO UPDATE SET "created" = $2, "last_sequence" = 0`,
        stream,
        created,
      );
      if (known === undefined) continue;
      const count = await tx.$executeRawUnsafe(
        `UPDATE ${table} SET "published_at" = NULL WHERE "stream" = $1 AND "published_at" > now() - interval '${REWIND}'`,
        stream,
      );
      logger.warn({ stream, events: count }, 'the stream was lost; what it held is published again');
      rewound = count > 0;
    }
    return rewound;
  };

  /** With nothing to publish nobody would notice, and what the stream lost would wait for the next event. */
  const lookForLoss = () =>
    locked(async (tx) => {
      const used = await tx.$queryRawUnsafe<{ stream: StreamName }[]>(`SELECT "stream" FROM ${streams}`);
      return rewind(
        tx,
        used.map(({ stream }) => stream),
      );
    });

  const loop = async () => {
    let failures = 0;
    let lookedAt = -Infinity;
    while (!stopped) {
      nudged = false;
      let full = false;
      try {
        if (performance.now() - lookedAt > LOOK_MS) {
          full = (await lookForLoss()) === true;
          lookedAt = performance.now();
        }
        if (!(await isEmpty())) {
          await number();
          const round = await publish();
          if (round?.failure) throw round.failure.error;
          full = full || round?.full === true;
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
