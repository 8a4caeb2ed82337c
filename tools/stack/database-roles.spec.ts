/** The app's role owns nothing, also in a database of before there were owners, and two starts at once do not break each other. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import pg from 'pg';
import { appDatabaseUrl, explainDatabaseError, ownerDatabaseUrl, schemas, type Schema } from './database.ts';
import { ensureRoles, grantRights, type RolePasswords } from './database-roles.ts';

const all = (password: string): Record<Schema, string> =>
  Object.fromEntries(schemas.map((schema) => [schema, password])) as Record<Schema, string>;
const passwords: RolePasswords = { apps: all('test'), owners: all('owners') };

describe('the roles of a database', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  afterAll(() => postgres.stop());

  const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const databaseUrl = (name: string, user?: { name: string; password: string }): string => {
    const url = new URL(postgres.adminUrl);
    url.pathname = `/${name}`;
    if (user) [url.username, url.password] = [user.name, user.password];
    return url.href;
  };

  it('take a database over in which the app owned its tables [trail.append-only]', async () => {
    await query(postgres.adminUrl, 'CREATE DATABASE before');
    const admin = databaseUrl('before');
    await query(admin, 'CREATE SCHEMA audit AUTHORIZATION bravo_audit');
    const app = appDatabaseUrl(admin, 'audit', 'test');
    await query(
      app,
      'SET search_path = audit; CREATE TABLE logs (size BIGINT, name TEXT); CREATE TABLE entries (id SERIAL, a TEXT)',
    );
    await query(app, 'CREATE TABLE audit._prisma_migrations (id INT)');

    await ensureRoles(admin, passwords);
    await grantRights(ownerDatabaseUrl(admin, 'audit', 'owners'), 'audit');

    expect(
      await query(
        admin,
        `SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'audit'
        UNION SELECT nspowner::regrole::name FROM pg_namespace WHERE nspname = 'audit'`,
      ),
    ).toEqual([{ tableowner: 'bravo_audit_owner' }]);
    expect(await query(app, `INSERT INTO entries (a) VALUES ('kept') RETURNING a`)).toEqual([{ a: 'kept' }]);
    expect(await query(app, `INSERT INTO logs VALUES (1, 'x')`)).toEqual([]);
    expect(await query(app, 'UPDATE logs SET size = size + 1 RETURNING size')).toEqual([{ size: '2' }]);
    for (const refused of [
      'DELETE FROM entries',
      'ALTER TABLE entries DISABLE TRIGGER ALL',
      `UPDATE logs SET name = 'y'`,
      'SELECT * FROM _prisma_migrations',
      'DROP SCHEMA audit CASCADE',
    ]) {
      await expect(query(app, refused)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('can be made by an administrator who is no superuser', async () => {
    await query(postgres.adminUrl, `CREATE ROLE narrow LOGIN CREATEROLE PASSWORD 'n'`);
    for (const schema of schemas) {
      await query(postgres.adminUrl, `GRANT bravo_${schema}, bravo_${schema}_owner TO narrow WITH ADMIN OPTION`);
    }
    await query(postgres.adminUrl, 'CREATE DATABASE narrow OWNER narrow');
    const admin = databaseUrl('narrow', { name: 'narrow', password: 'n' });
    await ensureRoles(admin, passwords);
    await query(ownerDatabaseUrl(admin, 'broker', 'owners'), 'CREATE TABLE thing (id INT)');
    // By the default rights alone: nobody granted anything on this table.
    expect(await query(appDatabaseUrl(admin, 'broker', 'test'), 'INSERT INTO thing VALUES (1) RETURNING id')).toEqual([
      { id: 1 },
    ]);
  });

  it('says in a sentence that a user may not make them', async () => {
    await query(postgres.adminUrl, `CREATE ROLE nobody_special LOGIN PASSWORD 'n'`);
    const url = databaseUrl('bravo', { name: 'nobody_special', password: 'n' });
    const failure = await ensureRoles(url, passwords).catch((error: unknown) => explainDatabaseError(url, error));
    expect(failure).toMatch(/cannot be used: that user may not create roles or schemas.*CREATEROLE/);
  });

  it('can be made by several starts at once, also in different databases of one server', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) await query(postgres.adminUrl, `CREATE DATABASE ${name}`);
    const starts = [...names, ...names].map((name) => ensureRoles(databaseUrl(name), passwords));
    await expect(Promise.all(starts)).resolves.toHaveLength(6);
    for (const name of names) {
      expect(
        await query(appDatabaseUrl(databaseUrl(name), 'models', 'test'), 'SELECT current_schema() AS here'),
      ).toEqual([{ here: 'models' }]);
    }
  });
});
