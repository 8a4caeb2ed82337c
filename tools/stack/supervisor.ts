/** The life of one stack: servers, schemas, services, in this order; on any failure everything it started is stopped again. */
import { EXIT_CONFIGURATION } from '@bravo/config';
import pg from 'pg';
import { databaseOf, explainDatabaseError } from './database.ts';
import { ensureRoles, grantRights } from './database-roles.ts';
import { initialiseCluster, postgresSpawnPlan, postgresUrl } from './embedded-postgres.ts';
import { waitHealthy } from './health.ts';
import type { Home } from './home.ts';
import { migrate } from './migrations.ts';
import { plannedPostgres, type Plan, type PlannedProcess } from './plan.ts';
import { identify } from './process-identity.ts';
import { ProcessKeeper } from './process-keeper.ts';
import { writeState, type RunningProcess, type StackState } from './state-file.ts';

/** What the supervisor tells the command that started it. */
export type Progress =
  | { readonly kind: 'step'; readonly label: string }
  | { readonly kind: 'note'; readonly sentence: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly sentence: string; readonly exitCode: number };

/** A service said that its configuration is wrong; the sentence is its own. */
export class RefusedConfiguration extends Error {
  readonly exitCode = EXIT_CONFIGURATION;
}

const serverPatienceMs = 30_000;
const servicePatienceMs = 90_000;
/** A service that crashes this often in a row before its first "ready" will not come up by itself. */
const hopelessCrashes = 5;

export class Supervisor {
  readonly #home: Home;
  readonly #plan: Plan;
  readonly #tell: (progress: Progress) => void;
  readonly #keeper: ProcessKeeper;
  #running: readonly RunningProcess[] = [];
  #phase: StackState['phase'] = 'starting';

  constructor(home: Home, plan: Plan, tell: (progress: Progress) => void) {
    this.#home = home;
    this.#plan = plan;
    this.#tell = tell;
    this.#keeper = new ProcessKeeper(
      home.logs,
      (running) => {
        this.#running = running;
        this.#save();
      },
      (sentence) => process.stdout.write(`${new Date().toISOString()} ${sentence}\n`),
    );
  }

  /** Resolves when every service is ready. */
  async start(): Promise<void> {
    this.#save();
    await this.#startServers();
    await this.#prepareDatabase();
    this.#step('services');
    for (const service of this.#plan.services) this.#keeper.keep(service);
    await Promise.all(this.#plan.services.map((service) => this.#await(service, servicePatienceMs)));
    this.#phase = 'running';
    this.#save();
  }

  async stop(): Promise<void> {
    this.#phase = 'stopping';
    this.#save();
    await this.#keeper.stopAll();
    this.#phase = 'stopped';
    this.#save();
  }

  async #startServers(): Promise<void> {
    const { embeddedPostgres, servers } = this.#plan;
    if (embeddedPostgres) {
      this.#step('PostgreSQL');
      await initialiseCluster(embeddedPostgres);
      await this.#keepServer(plannedPostgres(embeddedPostgres, postgresSpawnPlan(embeddedPostgres)));
    }
    for (const server of servers) {
      this.#step(server.name === 'nats' ? 'NATS' : server.name);
      await this.#keepServer(server);
    }
  }

  async #keepServer(server: PlannedProcess): Promise<void> {
    this.#keeper.keep(server);
    await this.#await(server, serverPatienceMs);
  }

  async #prepareDatabase(): Promise<void> {
    const { embeddedPostgres, databaseUrl, rolePasswords, migrations } = this.#plan;
    this.#step('database roles and schemas');
    try {
      if (embeddedPostgres) await createDatabase(postgresUrl(embeddedPostgres, 'postgres'), databaseUrl);
      await ensureRoles(databaseUrl, rolePasswords);
    } catch (error) {
      if (!embeddedPostgres) throw new Error(explainDatabaseError(databaseUrl, error));
      throw new Error(`The embedded PostgreSQL could not be prepared: ${(error as Error).message}; "./bravo logs postgres" says more.`);
    }
    this.#step('migrations');
    // Schemas know nothing of one another, and most of the time goes into starting Prisma's command line.
    await Promise.all(
      migrations.map(async ({ app, schema, url }) => {
        if (await migrate(app, url)) this.#tell({ kind: 'note', sentence: `migrated ${app}` });
        await grantRights(url, schema);
      }),
    );
  }

  async #await(planned: PlannedProcess, patienceMs: number): Promise<void> {
    const history = () => this.#keeper.historyOf(planned.name);
    const hopeless = (): boolean => history().misconfigured || history().crashesInARow >= hopelessCrashes;
    if (await waitHealthy(planned.health, patienceMs, hopeless)) return;
    const { misconfigured, lastWords } = history();
    if (misconfigured) throw new RefusedConfiguration(lastWords);
    const what = hopeless() ? 'ended each time it was started' : `was not ready after ${patienceMs / 1000} s`;
    const said = hopeless() && lastWords !== '' ? ` It said: ${lastWords}` : '';
    throw new Error(`${planned.name} ${what}: "./bravo logs ${planned.name}" says why.${said}`);
  }

  #step(label: string): void {
    this.#tell({ kind: 'step', label });
  }

  #save(): void {
    writeState(this.#home, {
      version: 1,
      phase: this.#phase,
      ports: this.#plan.ports,
      supervisor: this.#phase === 'stopped' ? null : (identify(process.pid) ?? null),
      processes: this.#running,
      gateway_url: this.#plan.gatewayUrl,
      restrictions: this.#plan.restrictions,
    });
  }
}

const createDatabase = async (adminUrl: string, databaseUrl: string): Promise<void> => {
  const database = databaseOf(databaseUrl);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
};
