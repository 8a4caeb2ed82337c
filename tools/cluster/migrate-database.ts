/** Roles, schemas, migrations and rights of the whole database, each step safe to repeat; and the wait of a service for them. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ensureRoles, grantRights } from '../stack/database-roles.ts';
import { databaseOf, explainDatabaseError, ownerDatabaseUrl, schemas, type Schema } from '../stack/database.ts';
import type { Secrets } from '../stack/secrets.ts';
import { services } from '../stack/service-catalogue.ts';
import { applyMigrations, migrationNames } from './apply-migrations.ts';

type Say = (sentence: string) => void;

const withClient = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};

/** A server that is only just starting refuses, or is not known to DNS yet; a wrong password or name will not mend itself. */
const STARTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', '57P03']);

const patiently = async <T>(seconds: number, what: string, say: Say, attempt: () => Promise<T>): Promise<T> => {
  let told = false;
  for (const deadline = Date.now() + seconds * 1000; ; await sleep(500)) {
    try {
      return await attempt();
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      if ((!STARTING.has(code) && !/timeout/i.test(message)) || Date.now() > deadline) throw error;
      if (!told) say(`waiting for ${what}`);
      told = true;
    }
  }
};

const ensureDatabase = (adminUrl: string): Promise<void> => {
  const url = new URL(adminUrl);
  url.pathname = '/postgres';
  return withClient(url.href, async (client) => {
    const database = databaseOf(adminUrl);
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  });
};

export const migrateDatabase = async (
  root: string,
  adminUrl: string,
  ownDatabase: boolean,
  secrets: Secrets,
  say: Say,
): Promise<void> => {
  try {
    await patiently(120, 'PostgreSQL', say, () =>
      ownDatabase ? ensureDatabase(adminUrl) : withClient(adminUrl, async () => undefined),
    );
    await ensureRoles(adminUrl, { apps: secrets.database_roles, owners: secrets.database_owners });
  } catch (error) {
    throw new Error(explainDatabaseError(adminUrl, error));
  }
  say(`${schemas.length} schemas, each with an owner and a writer`);
  const engine = path.join(root, 'tools', 'prisma', 'schema-engine.mjs');
  for (const { app, schema } of services) {
    if (schema === undefined) continue;
    const url = ownerDatabaseUrl(adminUrl, schema, secrets.database_owners[schema]);
    const directory = path.join(root, 'apps', app);
    const applied = await applyMigrations(engine, directory, url).catch((error: unknown) => {
      throw new Error(`The migrations of ${app} could not be applied: ${(error as Error).message}`);
    });
    await grantRights(url, schema);
    await markSchema(url, schema, migrationNames(path.join(directory, 'prisma', 'migrations')).at(-1) ?? '');
    say(`${app}: ${applied.length === 0 ? 'nothing to migrate' : `migrated ${applied.length}`}`);
  }
};

/** The newest migration is told where every role may read it: the table Prisma keeps is for owners alone. */
const markSchema = (ownerUrl: string, schema: Schema, newest: string): Promise<void> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ told: string | null }>(`SELECT obj_description($1::regnamespace) AS told`, [
      schema,
    ]);
    // An older release that is installed again after a newer one takes nothing back.
    if ((rows[0]?.told ?? '') >= newest) return;
    await client.query(`COMMENT ON SCHEMA ${pg.escapeIdentifier(schema)} IS ${pg.escapeLiteral(newest)}`);
  });

const reach = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port) || 4222, timeout: 3_000 });
    socket.once('connect', () => resolve(void socket.destroy()));
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
  });

/** Before a service starts: its schema is as new as its image wants it, and NATS listens. Throws with what is missing. */
export const waitForPeers = async (
  facts: { readonly databaseUrl: string; readonly natsUrl: string; readonly newest: string; readonly seconds: number },
  say: Say,
): Promise<void> => {
  const { databaseUrl, natsUrl, newest, seconds } = facts;
  if (databaseUrl !== '') {
    const schema = new URL(databaseUrl).searchParams.get('schema') ?? '';
    const deadline = Date.now() + seconds * 1000;
    const told = () =>
      withClient(databaseUrl, async (client) => {
        const { rows } = await client.query<{ told: string | null }>(
          'SELECT obj_description(oid) AS told FROM pg_namespace WHERE nspname = $1',
          [schema],
        );
        return rows[0]?.told ?? '';
      });
    // A role that does not exist yet is one whose migrations have not begun.
    const migrating = (error: { code?: string }): boolean => ['28P01', '28000', '3D000'].includes(error.code ?? '');
    let said = false;
    for (;;) {
      const found = await patiently(seconds, 'PostgreSQL', say, told).catch((error: { code?: string }) => {
        if (!migrating(error) || Date.now() > deadline) throw new Error(explainDatabaseError(databaseUrl, error));
        return '';
      });
      if (found !== '' && found >= newest) break;
      if (Date.now() > deadline)
        throw new Error(
          `The schema "${schema}" is at "${found || 'nothing'}" and this release wants "${newest}": look at the migration Job (kubectl logs -l app.kubernetes.io/component=migrations).`,
        );
      if (!said) say('waiting for the migrations');
      said = true;
      await sleep(500);
    }
  }
  if (natsUrl !== '') await patiently(seconds, 'NATS', say, () => reach(natsUrl));
};

export const readSecretsFile = (directory: string): Secrets => {
  const file = path.join(directory, 'secrets.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch {
    throw new Error(
      `There are no readable passwords at ${file}: the Secret with the root keys is missing, or not this release's.`,
    );
  }
};
