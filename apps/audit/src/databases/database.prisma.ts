/** The connections of audit: every store is built over them and none makes its own. */
import { createStatementNames } from '@bravo/chassis/statement-names';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type Database = PrismaClient;
/** Inside a transaction, or the database itself. */
export type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

/** `url` names the schema in `?schema=`, which Prisma's adapter does not read by itself. */
export const createDatabase = (url: string): Database => {
  const schema = new URL(url).searchParams.get('schema') ?? 'audit';
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url }, { schema, statementNameGenerator: createStatementNames() }),
  });
};

/** One writer per workspace's log at a time; released with the transaction. */
export const lockLog = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_NAMESPACE}::int, hashtext(${workspaceId}))`;
};

/** Tells these locks from the outbox relay's, which share the database. */
const LOCK_NAMESPACE = 0x62726176;

/** For reading long logs, which Prisma's rows are too slow for. A connection that breaks while it rests is made anew. */
export const createScanPool = (url: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: 10_000 });
  pool.on('error', () => undefined);
  return pool;
};
