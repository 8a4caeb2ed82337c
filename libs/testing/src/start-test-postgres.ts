/** A real PostgreSQL of its own for one spec file, with the roles and schemas of `up`; it is gone when the file is done. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout } from '@bravo/tools/stack/checkout';
import { appDatabaseUrl, ownerDatabaseUrl, schemas, type Schema } from '@bravo/tools/stack/database';
import { ensureRoles, grantRights } from '@bravo/tools/stack/database-roles';
import { initialiseCluster, postgresSpawnPlan, postgresUrl } from '@bravo/tools/stack/embedded-postgres';
import { chooseFreePort } from '@bravo/tools/stack/ports';
import pg from 'pg';
import { startTethered } from './tethered-process.ts';
import { waitUntil } from './wait-until.ts';

export interface TestPostgres {
  /** The administrator's URL of database "bravo": for looking around, not for the app under test. */
  readonly adminUrl: string;
  /** URL of the app's own role with ?schema=, as BRAVO_DATABASE_URL of that app. */
  url(schema: Schema): string;
  /** URL of the role that owns the schema: for what a migration would do, never for the app under test. */
  ownerUrl(schema: Schema): string;
  /** One statement, or several, as the schema's owner. */
  asOwner(schema: Schema, sql: string): Promise<void>;
  /** Applies apps/<app>/prisma/migrations in order as the schema's owner, and gives the app's role its rights. */
  migrate(app: string, schema: Schema): Promise<void>;
  /** Stops the server, waits for `meanwhile`, and starts it again on the same port with the same data. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const password = 'test';

const waitForQueries = async (adminUrl: string, output: () => string, exited: () => boolean): Promise<void> => {
  await waitUntil('PostgreSQL to answer', async () => {
    if (exited()) throw new Error(`it ended: ${output()}`);
    const client = new pg.Client({ connectionString: adminUrl });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } finally {
      await client.end().catch(() => {});
    }
  });
};

/** With `app` and `schema` its migrations are applied as well, which is what most specs want. */
/** `durable`: every commit is on the disk, which only measuring needs. `within`: the directory it keeps its data under. */
export const startTestPostgres = async (wanted?: {
  app: string;
  schema: Schema;
  durable?: boolean;
  within?: string;
}): Promise<TestPostgres> => {
  const home = mkdtempSync(path.join(wanted?.within ?? tmpdir(), 'bravo-test-postgres-'));
  const plan = {
    dataDirectory: path.join(home, 'data'),
    port: await chooseFreePort(),
    password,
    durable: wanted?.durable ?? false,
  };
  await initialiseCluster(plan);
  let server = startTethered(postgresSpawnPlan(plan));
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const firstUrl = postgresUrl(plan, 'postgres');
    const ready = (): Promise<void> => waitForQueries(firstUrl, server.output, server.exited);
    await ready();
    const client = new pg.Client({ connectionString: firstUrl });
    await client.connect();
    await client.query('CREATE DATABASE bravo');
    await client.end();
    const adminUrl = postgresUrl(plan, 'bravo');
    const passwords = Object.fromEntries(schemas.map((schema) => [schema, password])) as Record<Schema, string>;
    await ensureRoles(adminUrl, { apps: passwords, owners: passwords });
    const url = (schema: Schema): string => appDatabaseUrl(adminUrl, schema, password);
    const ownerUrl = (schema: Schema): string => ownerDatabaseUrl(adminUrl, schema, password);
    const asOwner = (schema: Schema, sql: string): Promise<void> => runScripts(ownerUrl(schema), [sql]);
    const migrate = async (app: string, schema: Schema): Promise<void> => {
      await runScripts(ownerUrl(schema), migrationScripts(app));
      await grantRights(ownerUrl(schema), schema);
    };
    const restart = async (meanwhile?: () => Promise<void>): Promise<void> => {
      await server.stop();
      await meanwhile?.();
      server = startTethered(postgresSpawnPlan(plan));
      await ready();
    };
    if (wanted) await migrate(wanted.app, wanted.schema);
    return { adminUrl, url, ownerUrl, asOwner, migrate, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

// The SQL itself rather than Prisma's command: the same statements in the same order, in milliseconds.
const migrationScripts = (app: string): string[] => {
  const directory = path.join(checkout, 'apps', app, 'prisma', 'migrations');
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(path.join(directory, name, 'migration.sql'), 'utf8'));
};

const runScripts = async (url: string, scripts: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const script of scripts) await client.query(script);
  } finally {
    await client.end();
  }
};
