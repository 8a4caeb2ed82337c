/** What the database of a stack is called and whether it can be used; it changes nothing in it. */
import pg from 'pg';

/**
 * `witness` is nobody's tables but a place beside them: what audit may add to and its owner cannot change. `pruner` has no
 * table at all: its role may call the one function of audit's through which entries go.
 */
export const schemas = ['identity', 'orchestrator', 'models', 'broker', 'sandbox', 'audit', 'automation', 'egress', 'witness', 'pruner'] as const;
export type Schema = (typeof schemas)[number];

/** The role a service connects as: it reads and writes rows, and owns nothing. */
export const roleOf = (schema: Schema): string => `bravo_${schema}`;

/** The role that owns a schema and runs its migrations; no service is ever given its password. */
export const ownerOf = (schema: Schema): string => `bravo_${schema}_owner`;

/** The database a URL names, as Postgres knows it. */
export const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

const urlOf = (adminUrl: string, role: string, schema: Schema, password: string): string => {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  url.searchParams.set('schema', schema);
  return url.href;
};

/** The URL an app connects with: its own role, its own schema. */
export const appDatabaseUrl = (adminUrl: string, schema: Schema, password: string): string =>
  urlOf(adminUrl, roleOf(schema), schema, password);

/** The URL migrations run with. */
export const ownerDatabaseUrl = (adminUrl: string, schema: Schema, password: string): string =>
  urlOf(adminUrl, ownerOf(schema), schema, password);

const isPostgresUrl = (url: string): boolean => {
  try {
    const { protocol, pathname } = new URL(url);
    return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1;
  } catch {
    return false;
  }
};

/** Why a database cannot be used, as one sentence with its remedy; the URL's password is never part of it. */
export const explainDatabaseError = (url: string, error: unknown): string => {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (!isPostgresUrl(url)) {
    return 'BRAVO_DATABASE_URL is no PostgreSQL URL: it must look like postgresql://user:password@host:5432/database, or be unset to use the embedded PostgreSQL.';
  }
  const { hostname, port } = new URL(url);
  const where = `${hostname}:${port || '5432'}/${databaseOf(url)}`;
  const remedies: Record<string, string> = {
    ECONNREFUSED:
      'nothing listens there: start that server, correct BRAVO_DATABASE_URL, or unset it to use the embedded PostgreSQL.',
    ENOTFOUND: 'that host is unknown: correct BRAVO_DATABASE_URL, or unset it to use the embedded PostgreSQL.',
    '28P01': 'the password was refused: correct the user or password in BRAVO_DATABASE_URL.',
    '28000': 'the user was refused: correct the user in BRAVO_DATABASE_URL, or allow it in pg_hba.conf.',
    '3D000': 'that database does not exist: create it (createdb), or correct BRAVO_DATABASE_URL.',
    '42501':
      'that user may not create roles or schemas, or may not manage the bravo_ roles there are: give it CREATEROLE and CREATE on the database (and ADMIN on those roles), or use another user in BRAVO_DATABASE_URL.',
  };
  const remedy = code === undefined ? undefined : remedies[code];
  return `The database at ${where} cannot be used: ${remedy ?? `${message ?? 'unknown error'}; check BRAVO_DATABASE_URL, or unset it to use the embedded PostgreSQL.`}`;
};

/** Connects once and checks the version; throws an Error whose message is meant for a person. */
export const checkDatabase = async (url: string): Promise<void> => {
  if (!isPostgresUrl(url)) throw new Error(explainDatabaseError(url, undefined));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    if (Number(rows[0]?.server_version_num) < 150_000) {
      throw new Error('it is older than PostgreSQL 15; use a newer server');
    }
  } catch (error) {
    throw new Error(explainDatabaseError(url, error));
  } finally {
    await client.end().catch(() => {});
  }
};
