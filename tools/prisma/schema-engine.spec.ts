/** The bridge really migrates, really refuses, and its shadow database is really another database. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import pg from 'pg';
import { checkout } from '../stack/checkout.ts';
import { prismaCommand } from './prisma-command.ts';

const model = (fields: string): string => `
generator client {
  provider = "prisma-client"
  output   = "./generated"
}
datasource db {
  provider = "postgresql"
}
model Note {
  id   Int    @id
  ${fields}
}
`;

const config = `import { defineConfig } from 'prisma/config';
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['BRAVO_DATABASE_URL'] ?? '' },
});
`;

// Semicolons in a comment, a string and a function body: a script is no list of pieces between semicolons.
const firstMigration = `
-- One table; it holds notes.
CREATE TABLE "Note" ("id" INTEGER NOT NULL PRIMARY KEY, "text" TEXT NOT NULL);
COMMENT ON TABLE "Note" IS 'kept; forever';
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'no;';
END;
$$;
`;

describe('schema engine bridge', () => {
  let postgres: TestPostgres;
  let project: string;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    const scratch = path.join(checkout, 'node_modules', '.cache');
    mkdirSync(scratch, { recursive: true });
    project = mkdtempSync(path.join(scratch, 'schema-engine-spec-'));
    symlinkSync(path.join(checkout, 'node_modules'), path.join(project, 'node_modules'));
    mkdirSync(path.join(project, 'prisma', 'migrations'), { recursive: true });
    writeFileSync(path.join(project, 'prisma.config.ts'), config);
    writeFileSync(path.join(project, 'prisma', 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
    writeFileSync(path.join(project, 'prisma', 'schema.prisma'), model('text String'));
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(project, { recursive: true, force: true });
  });

  const migration = (name: string, sql: string): void => {
    mkdirSync(path.join(project, 'prisma', 'migrations', name), { recursive: true });
    writeFileSync(path.join(project, 'prisma', 'migrations', name, 'migration.sql'), sql);
  };
  const prisma = (args: string[], url: string): Promise<string> =>
    prismaCommand(project, args, { BRAVO_DATABASE_URL: url });
  const rows = async (sql: string, url = postgres.adminUrl): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const result = await client.query<Record<string, unknown>>(sql);
    await client.end();
    return result.rows;
  };

  it('applies a migration into the schema of its owner, once', async () => {
    migration('20260101000000_first', firstMigration);
    await expect(prisma(['migrate', 'deploy'], postgres.ownerUrl('models'))).resolves.toContain('20260101000000_first');
    await rows(`INSERT INTO models."Note" VALUES (1, 'kept')`);
    await expect(prisma(['migrate', 'deploy'], postgres.ownerUrl('models'))).resolves.toContain('No pending migrations');
    expect(await rows('SELECT text FROM models."Note"')).toEqual([{ text: 'kept' }]);
  }, 60_000);

  it('creates and drops a database of its own as shadow and leaves the real one alone', async () => {
    writeFileSync(path.join(project, 'prisma', 'schema.prisma'), model('text String\n  extra String?'));
    const url = new URL(postgres.adminUrl);
    url.searchParams.set('schema', 'models');
    // A table whose loss would show that migrations were replayed, and the clean-up done, in the wrong database.
    const printed = await prisma(
      ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma', '--script'],
      url.href,
    );
    expect(printed).toContain('ALTER TABLE "Note" ADD COLUMN     "extra" TEXT');
    expect(printed).not.toContain('CREATE TABLE');
    expect(await rows('SELECT text FROM models."Note"')).toEqual([{ text: 'kept' }]);
    expect(await rows(`SELECT datname FROM pg_database WHERE datname LIKE 'prisma_migrate_shadow%'`)).toEqual([]);
  }, 60_000);

  it('refuses a migration that fails, says why, and does not call it applied', async () => {
    migration('20260102000000_broken', 'ALTER TABLE "NoSuchTable" ADD COLUMN "x" TEXT;');
    await expect(prisma(['migrate', 'deploy'], postgres.ownerUrl('models'))).rejects.toThrow(/NoSuchTable/);
    await expect(prisma(['migrate', 'deploy'], postgres.ownerUrl('models'))).rejects.toThrow(/20260102000000_broken/);
    expect(
      await rows(`SELECT migration_name FROM models._prisma_migrations WHERE finished_at IS NOT NULL`),
    ).toEqual([{ migration_name: '20260101000000_first' }]);
  }, 60_000);
});
