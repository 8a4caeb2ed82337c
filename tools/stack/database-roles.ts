/**
 * Gives each app one schema with two roles: an owner that runs its migrations, and the app's own, which reads and writes rows
 * there, sees no other schema and can change no table. It never touches a schema it does not know.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, ownerOf, roleOf, schemas, type Schema } from './database.ts';

export interface RolePasswords {
  readonly apps: Readonly<Record<Schema, string>>;
  readonly owners: Readonly<Record<Schema, string>>;
}

const literal = pg.escapeLiteral;
const name = pg.escapeIdentifier;

/** What an app may do with the rows of a table that names no rights of its own. The trail is only ever added to. */
const rowRights = (schema: Schema): string =>
  schema === 'audit' || schema === 'witness' ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE';

/** Beyond the rights of every table: a log's size goes up with each entry, and a trigger lets it go up only. */
const furtherRights: Partial<Record<Schema, readonly { table: string; right: string }[]>> = {
  audit: [
    { table: 'logs', right: 'UPDATE ("size")' },
    // Transport, not record: what audit itself does reaches the log as everybody's events do.
    { table: 'outbox', right: 'UPDATE ("sequence", "published_at")' },
    { table: 'outbox_streams', right: 'UPDATE' },
    { table: 'person_keys', right: 'UPDATE ("wrapped_key", "erased_at")' },
    // Settings and positions; who changed them is an entry of the trail.
    { table: 'destinations', right: 'UPDATE' },
  ],
};

const withClient = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};

const ensureRole = async (
  client: pg.Client,
  database: string,
  role: string,
  schema: Schema,
  password: string,
): Promise<void> => {
  const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const verb = known.rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${name(role)} LOGIN PASSWORD ${literal(password)}`);
  await client.query(`ALTER ROLE ${name(role)} IN DATABASE ${name(database)} SET search_path = ${name(schema)}`);
  // An administrator that is no superuser may only give a schema to a role it is a member of.
  await client.query(`GRANT ${name(role)} TO CURRENT_USER`);
  await client.query(`GRANT CONNECT ON DATABASE ${name(database)} TO ${name(role)}`);
};

const ensureSchema = async (
  client: pg.Client,
  database: string,
  schema: Schema,
  passwords: RolePasswords,
): Promise<void> => {
  const [app, owner] = [name(roleOf(schema)), name(ownerOf(schema))];
  await ensureRole(client, database, ownerOf(schema), schema, passwords.owners[schema]);
  await ensureRole(client, database, roleOf(schema), schema, passwords.apps[schema]);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name(schema)} AUTHORIZATION ${owner}`);
  // A home of before there were owners: the app's role made the schema and all that is in it.
  await client.query(`REASSIGN OWNED BY ${app} TO ${owner}`);
  await client.query(`GRANT USAGE ON SCHEMA ${name(schema)} TO ${app}`);
  await client.query(`REVOKE CREATE ON SCHEMA ${name(schema)} FROM ${app}`);
  const defaults = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${name(schema)}`;
  await client.query(`${defaults} GRANT ${rowRights(schema)} ON TABLES TO ${app}`);
  await client.query(`${defaults} GRANT USAGE, SELECT ON SEQUENCES TO ${app}`);
};

/** No app has migrations here: the one table is made with the schema, as the owner, who then has no more part in it. */
const ensureWitnessTable = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ found: string | null }>(`SELECT to_regclass('witness.checkpoints') AS found`);
  if (rows[0]?.found) return;
  await client.query(`
    SET ROLE ${name(ownerOf('witness'))};
    CREATE TABLE witness.checkpoints (
      workspace_id TEXT NOT NULL, size BIGINT NOT NULL CHECK (size > 0), note TEXT NOT NULL,
      kept_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (workspace_id, size, note));
    CREATE FUNCTION witness.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'Kept checkpoints are only added to: % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege'; END; $$;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON witness.checkpoints FOR EACH STATEMENT EXECUTE FUNCTION witness.refuse_change();
    RESET ROLE`);
};

/** Roles belong to the whole server, so two stacks that start at once can meet there although their databases differ. */
const metAnother = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  // Unique violation in a catalogue, role or schema that is there already, and "tuple concurrently updated".
  return (
    ['23505', '42710', '42P06', '42P07', '42723'].includes(code ?? '') ||
    /tuple concurrently (updated|deleted)/.test(message ?? '')
  );
};

const patienceForOthers = 8;

/**
 * Idempotent. A role's search path is its schema alone, so that migrations, which name no schema, land there.
 * The passwords are set each time: the ones in secrets.json hold.
 */
export const ensureRoles = async (adminUrl: string, passwords: RolePasswords): Promise<void> => {
  const database = databaseOf(adminUrl);
  await withClient(adminUrl, async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        for (const schema of schemas) await ensureSchema(client, database, schema, passwords);
        await ensureWitnessTable(client);
        return;
      } catch (error) {
        if (attempt === patienceForOthers || !metAnother(error)) throw error;
        await pause(50 + Math.random() * 100 * attempt);
      }
    }
  });
};

const PRUNE = 'audit.prune_entries(TEXT, BIGINT, TEXT, BYTEA, BYTEA, TEXT, TEXT, TEXT)';

/** Entries go through one function of the owner's, which the pruner's role alone may call: the service's own may not. */
const pruningRights = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regprocedure($1) AS found', [PRUNE]);
  const pruner = name(roleOf('pruner'));
  return rows[0]?.found
    ? [`GRANT USAGE ON SCHEMA audit TO ${pruner}`, `GRANT EXECUTE ON FUNCTION ${PRUNE} TO ${pruner}`]
    : [];
};

/** After migrations, as the owner: the app's role has exactly these rights on what is there, whatever it was given before. */
export const grantRights = (ownerUrl: string, schema: Schema): Promise<void> =>
  withClient(ownerUrl, async (client) => {
    const app = name(roleOf(schema));
    const within = name(schema);
    const statements = [
      `REVOKE ALL ON ALL TABLES IN SCHEMA ${within} FROM ${app}`,
      `GRANT ${rowRights(schema)} ON ALL TABLES IN SCHEMA ${within} TO ${app}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${within} TO ${app}`,
    ];
    for (const { table, right } of furtherRights[schema] ?? []) {
      const { rows: there } = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [
        `${within}.${name(table)}`,
      ]);
      if (there[0]?.found) statements.push(`GRANT ${right} ON ${within}.${name(table)} TO ${app}`);
    }
    const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [
      `${within}._prisma_migrations`,
    ]);
    if (rows[0]?.found) statements.push(`REVOKE ALL ON ${within}._prisma_migrations FROM ${app}`);
    if (schema === 'audit') statements.push(...(await pruningRights(client)));
    // One message is one transaction: a service that runs meanwhile never sees itself without rights.
    await client.query(statements.join('; '));
  });
