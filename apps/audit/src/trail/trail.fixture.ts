/** A log on a real Postgres for one spec file, with the hands of its superuser to tamper with; production code must never import it. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Principal } from '@bravo/chassis';
import { createOutbox } from '@bravo/events';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { generateKeyPairSync } from 'node:crypto';
import pg from 'pg';
import { createAlerts } from '../alerts/alerts.prisma.ts';
import { createCheckpoints } from '../checkpoints/checkpoints.prisma.ts';
import { createDeliveries } from '../checkpoints/deliveries.prisma.ts';
import { createSignCheckpoint } from '../checkpoints/sign-checkpoint.ts';
import { createNoteSigner } from '../checkpoints/signed-note.ts';
import { createDatabase, createScanPool, type Database } from '../databases/database.prisma.ts';
import { createPersonKeys } from '../contents/person-keys.prisma.ts';
import { createPruneLog } from '../retention/prune-log.ts';
import { createPruner } from '../retention/pruner.prisma.ts';
import { createRetention } from '../retention/retention.prisma.ts';
import { createEntries } from './entries.prisma.ts';
import { eventOf, type EventFacts, messageOf } from './events.fixture.ts';
import { createListEntries, type ListEntriesQuery } from './list-entries.ts';
import { createRecordEvents, type Outcome, type StreamMessage } from './record-event.ts';
import { createRecordRead } from './record-read.ts';
import { createTellOwnEvent } from './tell-own-event.prisma.ts';
import { createVerifyLog } from './verify-log.ts';

export const reader = (over: Partial<Principal> = {}): Principal => ({
  issuer: 'gateway',
  audience: 'audit',
  userId: 'usr_alice',
  workspaceId: 'ws_a',
  role: 'admin',
  permissions: ['view_content', 'audit_read'],
  agent: undefined,
  ...over,
});

export const member = (userId: string): Principal => reader({ userId, role: 'member', permissions: ['view_content'] });

export const query = (over: Partial<ListEntriesQuery> = {}): ListEntriesQuery => ({
  order: 'asc',
  limit: 0,
  cursor: '',
  ...over,
});

/** Events 1 to `count` of one producer. */
export const numbered = (count: number, over: Omit<EventFacts, 'seq'> = {}): EventFacts[] =>
  Array.from({ length: count }, (_, at) => ({ seq: at + 1, ...over }));

/** Registers the hooks of the spec file that calls it; every case starts with empty logs. */
export const useTrail = () => {
  let postgres: TestPostgres;
  let database: Database;
  let pool: pg.Pool;
  let admin: pg.Client;
  let prunerPool: pg.Pool;
  const signer = createNoteSigner(generateKeyPairSync('ed25519').privateKey);

  /** What somebody with the database in their hands can do: no trigger stops a superuser in this mode. */
  const tamper = async (...statements: string[]): Promise<void> => {
    // What is set back by days may belong to last month, of which a log that begins this month has no partition.
    await admin.query(`SELECT ensure_entries_month(now() - interval '1 month')`);
    await admin.query('SET session_replication_role = replica');
    for (const statement of statements) await admin.query(statement);
    await admin.query('SET session_replication_role = origin');
  };

  beforeAll(async () => {
    postgres = await startTestPostgres({ app: 'audit', schema: 'audit' });
    database = createDatabase(postgres.url('audit'));
    pool = createScanPool(postgres.url('audit'));
    prunerPool = createScanPool(postgres.url('pruner'));
    admin = new pg.Client({ connectionString: postgres.adminUrl });
    await admin.connect();
    await admin.query('SET search_path TO audit');
  });
  afterAll(async () => {
    await admin.end();
    await pool.end();
    await prunerPool.end();
    await database.$disconnect();
    await postgres.stop();
  });
  beforeEach(() =>
    tamper(
      'TRUNCATE entries, logs, checkpoints, rejections, rejection_retries, nodes, deliveries, alerts, outbox, person_keys, retention_policies, holds, hold_lifts, stubs, pruned_numbers, destinations',
    ),
  );

  const open = () => {
    const outbox = createOutbox({ schema: 'audit', producer: 'audit', traceparent: () => '' });
    const recordRead = createRecordRead(createTellOwnEvent(database, outbox));
    const entries = createEntries(database, pool);
    const checkpoints = createCheckpoints(database);
    const retention = createRetention(database, outbox);
    const pruner = createPruner(prunerPool, outbox);
    return {
      database,
      outbox,
      entries,
      checkpoints,
      retention,
      pruner,
      pruneLog: createPruneLog({ entries, checkpoints, signer, retention, pruner, sinks: [] }),
      deliveries: createDeliveries(database),
      alerts: createAlerts(database, outbox),
      recordAll: createRecordEvents(entries),
      record: async (message: StreamMessage): Promise<Outcome> =>
        (await createRecordEvents(entries)([message]))[0] as Outcome,
      list: createListEntries(entries, recordRead),
      recordRead,
      keys: createPersonKeys(database, outbox),
      tellOwnEvent: createTellOwnEvent(database, outbox),
      verify: createVerifyLog({ entries, checkpoints, signer, retention }),
      signCheckpoint: createSignCheckpoint({ entries, checkpoints, signer }),
    };
  };

  return {
    open,
    signer,
    tamper,
    url: (schema: 'audit' | 'witness' | 'pruner') => postgres.url(schema),
    rowsOf: async (table: string) => (await admin.query(`SELECT * FROM ${table}`)).rows,
    /** As the app's own role. */
    asApp: (statement: string, ...values: unknown[]) => database.$executeRawUnsafe(statement, ...values),
    /** As the role that runs the migrations; it meets the triggers. */
    asOwner: (statement: string) => postgres.asOwner('audit', statement),
    recordMany: async (...facts: EventFacts[]): Promise<void> => {
      await open().recordAll(facts.map((one) => messageOf(eventOf(one))));
    },
  };
};
