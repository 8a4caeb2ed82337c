/** Brings each app's schema to its newest migration; skips the work only when file digest and database agree that it is done. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { prismaCommand } from '../prisma/prisma-command.ts';
import { checkout } from './checkout.ts';

interface Migration {
  readonly name: string;
  /** As Prisma records it: SHA-256 of the SQL file, hex. */
  readonly checksum: string;
}

export const migrationsOf = (app: string): Migration[] => {
  const directory = path.join(checkout, 'apps', app, 'prisma', 'migrations');
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => ({
      name,
      checksum: createHash('sha256').update(readFileSync(path.join(directory, name, 'migration.sql'))).digest('hex'),
    }));
};

/** True when the database has finished exactly these migrations with exactly this text. */
const alreadyApplied = async (url: string, migrations: readonly Migration[]): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Asked first: a query of a table that is not there is an error in the server's log at every first start.
    const table = await client.query<{ found: string | null }>("SELECT to_regclass('_prisma_migrations') AS found");
    if (!table.rows[0]?.found) return false;
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name',
    );
    return (
      rows.length === migrations.length &&
      rows.every((row, i) => row.migration_name === migrations[i]?.name && row.checksum === migrations[i]?.checksum)
    );
  } finally {
    await client.end();
  }
};

/** The lines of Prisma's report that say what went wrong, without its stack. */
const reasonIn = (report: string): string => {
  const telling = report.split('\n').filter((line) => /error|ERROR|failed|P\d{4}|migration_name=/.test(line));
  return [...new Set(telling.map((line) => line.trim()))].slice(0, 4).join(' ') || report.trim();
};

/** Returns whether anything had to be done. `url` is the schema's owner, so that the tables are the owner's and not the app's. */
export const migrate = async (app: string, url: string): Promise<boolean> => {
  const migrations = migrationsOf(app);
  if (migrations.length === 0 || (await alreadyApplied(url, migrations))) return false;
  try {
    await prismaCommand(path.join(checkout, 'apps', app), ['migrate', 'deploy'], { BRAVO_DATABASE_URL: url });
  } catch (error) {
    throw new Error(
      `The migrations of ${app} could not be applied: ${reasonIn((error as Error).message)} Mend apps/${app}/prisma/migrations; a migration recorded as failed is cleared with "prisma migrate resolve --rolled-back".`,
    );
  }
  return true;
};
