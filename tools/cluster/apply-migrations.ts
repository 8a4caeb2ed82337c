/** Brings one app's schema to its newest migration through Prisma's schema engine, without Prisma's command line; safe to run again. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface EngineAnswer {
  readonly result?: { readonly appliedMigrationNames?: readonly string[] };
  readonly error?: { readonly message: string; readonly data?: { readonly message?: string; readonly meta?: unknown } };
}

/** Names of an app's migrations, oldest first. */
export const migrationNames = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

/** What the file beside the migrations says; not every app keeps one. */
const LOCK = 'provider = "postgresql"\n';

const request = (directory: string): object => ({
  id: 1,
  jsonrpc: '2.0',
  method: 'applyMigrations',
  params: {
    migrationsList: {
      baseDir: directory,
      lockfile: {
        path: 'migration_lock.toml',
        content: LOCK,
      },
      migrationDirectories: migrationNames(directory).map((name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: readFileSync(path.join(directory, name, 'migration.sql'), 'utf8') },
        },
      })),
      shadowDbInitScript: '',
    },
    filters: { externalTables: [], externalEnums: [] },
  },
});

/**
 * @param engine path of the engine's bridge.
 * @param url the schema's owner.
 * @returns names of the migrations that were applied now. Throws with what the database refused.
 */
export const applyMigrations = (engine: string, app: string, url: string): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const directory = path.join(app, 'prisma', 'migrations');
    const schema = path.join(app, 'prisma', 'schema.prisma');
    const asked = `${JSON.stringify(request(directory))}\n`;
    const child = spawn(process.execPath, [engine, '--datamodels', schema, '--datasource', JSON.stringify({ url })], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC' },
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('\n')) child.stdin.end();
    });
    let complained = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complained = `${complained}${text}`.slice(-2_000)));
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', () => {
      const line = said.split('\n').find((each) => each.startsWith('{'));
      if (line === undefined)
        return reject(
          new Error(
            `the schema engine ended without an answer: ${complained.trim().split('\n').slice(0, 6).join(' ')}`,
          ),
        );
      const { result, error } = JSON.parse(line) as EngineAnswer;
      if (error) return reject(new Error(error.data?.message ?? error.message));
      resolve(result?.appliedMigrationNames ?? []);
    });
    child.stdin.write(asked);
  });
