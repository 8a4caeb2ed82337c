/** Turns this machine, this checkout and the caller's environment into a written plan; starts nothing. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '@bravo/config';
import { NATS_PERMISSIONS } from '@bravo/events/nats/permissions';
import { runBuild } from '../build/run-build.ts';
import { ensureImages } from '../images/build-images.ts';
import { checkout, nodeProgram } from './checkout.ts';
import { checkDatabase, ownerDatabaseUrl } from './database.ts';
import { postgresUrl, type EmbeddedPostgres } from './embedded-postgres.ts';
import { checkNats } from './external-nats.ts';
import { decidedAnyway, mistakesIn } from './given-settings.ts';
import { writePrivate, type Home } from './home.ts';
import { installPackages, isRoot, missingPackages, restrictions } from './machine.ts';
import { renderNatsConfig } from './nats-config.ts';
import { choosesLocalModel, ensureLocalModel } from './local-model.ts';
import { findNatsServer } from './nats-program.ts';
import { plannedNats, plannedService, portRequests, writePlan, type Plan } from './plan.ts';
import { choosePorts } from './ports.ts';
import { ensureKeys, ensureSecrets, natsUsers, type Secrets } from './secrets.ts';
import type { EnvironmentFacts } from './service-environment.ts';
import { services } from './service-catalogue.ts';
import { readState } from './state-file.ts';
import { reachableByAnyUser, reachableCopy } from './traversable.ts';

export interface StartOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly insecurePods: boolean;
  readonly step: (label: string) => void;
  readonly note: (sentence: string) => void;
}

/** Undefined when unset. Throws for anything that is no port, because a typo must not choose one by itself. */
export const pinnedPort = (value: string | undefined): number | undefined => {
  if (value === undefined || value === '') return undefined;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`BRAVO_PORT is "${value}": it must be a number from 1 to 65535, or be unset.`);
  }
  return port;
};

const installMissing = async (note: StartOptions['note']): Promise<void> => {
  const missing = missingPackages();
  if (missing.length === 0 || !isRoot()) return;
  note(`installing ${missing.map(({ debian, why }) => `${debian} (${why})`).join(', ')}`);
  const failure = await installPackages(missing.map(({ debian }) => debian));
  if (failure !== undefined) note(failure);
};

const natsConfig = (home: Home, port: number, secrets: Secrets): string =>
  renderNatsConfig({
    port,
    storeDirectory: home.nats,
    users: natsUsers.map((name) => ({ name, password: secrets.nats_users[name], ...NATS_PERMISSIONS[name] })),
    durable: true,
  });

const WITHOUT_IMAGES =
  'Programs in the sandbox have this machine\'s own interpreters and none of the libraries of its images: "./bravo images build" says why.';

const share = (file: string, label: string): string => (isRoot() ? reachableCopy(file, label) : file);

/** A program in the agent runtime's place, as it stands: no promise depends on which one it is. */
const givenPodProgram = (file: string): string => {
  const refuse = (why: string): never => {
    throw new ConfigError('./bravo up', [`BRAVO_POD_PROGRAM is not usable (it is "${file}"): ${why}`]);
  };
  if (!path.isAbsolute(file)) refuse('give the whole path.');
  if (!existsSync(file)) refuse('there is no such file.');
  if (isRoot() && !reachableByAnyUser(file)) refuse('pods have users of their own, who cannot read it there.');
  return file;
};

/** The pods' program and Node where a pod's own user can reach them; without root a pod runs as its starter, who can. */
const podImage = (
  given: string | undefined,
): { podNode: string; podProgram: string; sandboxNode: string; toolboxProgram: string } => {
  const program = (app: string): string => path.join(checkout, 'apps', app, 'dist', `${app}.mjs`);
  const node = share(nodeProgram(), 'node');
  return {
    podNode: node,
    podProgram: given ? givenPodProgram(given) : share(program('agent-runtime'), 'agent-runtime'),
    sandboxNode: node,
    toolboxProgram: share(program('toolbox'), 'toolbox'),
  };
};

export const prepareStack = async (home: Home, options: StartOptions): Promise<Plan> => {
  const { environment, step, note } = options;
  const mistakes = mistakesIn(environment);
  if (mistakes.length > 0) throw new ConfigError('./bravo up', mistakes);
  const ignored = decidedAnyway(environment);
  if (ignored.length > 0) note(`Not used, because ./bravo up decides it: ${ignored.join(', ')}.`);
  const pinned = pinnedPort(environment['BRAVO_PORT']);
  const externalDatabase = environment['BRAVO_DATABASE_URL'] || undefined;
  const externalNats = environment['BRAVO_NATS_URL'] || undefined;
  if (externalDatabase !== undefined) {
    step('external PostgreSQL');
    await checkDatabase(externalDatabase);
  }
  if (externalNats !== undefined) {
    step('external NATS');
    await checkNats(externalNats, environment['BRAVO_NATS_USER'] ?? '', environment['BRAVO_NATS_PASSWORD'] ?? '');
  }
  step('ports');
  const remembered = readState(home)?.ports ?? {};
  const embedded = { postgres: externalDatabase === undefined, nats: externalNats === undefined };
  const ports = await choosePorts(portRequests(remembered, pinned, embedded));

  step('system packages');
  await installMissing(note);
  step('build');
  const built = await runBuild(checkout, { say: (name) => note(name) });
  if (built.length === 0) note('nothing changed');
  step('sandbox images');
  const sandboxImages = isRoot() ? await ensureImages(note) : undefined;
  if (choosesLocalModel(environment)) step('local model');
  const localModel = choosesLocalModel(environment) ? await ensureLocalModel(note) : undefined;
  if (embedded.nats) step('NATS server program');
  const natsProgram = embedded.nats ? await findNatsServer(note) : undefined;

  step('keys and passwords');
  const secrets = ensureSecrets(home);
  ensureKeys(home);
  const port = (name: string): number => ports[name] ?? 0;
  if (embedded.nats) writePrivate(path.join(home.run, 'nats.conf'), natsConfig(home, port('nats'), secrets));
  const embeddedPostgres: EmbeddedPostgres | null = embedded.postgres
    ? { dataDirectory: home.postgres, port: port('postgres'), password: secrets.postgres_admin, durable: true }
    : null;
  const databaseUrl = embeddedPostgres ? postgresUrl(embeddedPostgres, 'bravo') : (externalDatabase ?? '');
  const facts: EnvironmentFacts = {
    home,
    checkout,
    ports,
    secrets,
    databaseUrl,
    natsUrl: externalNats ?? `nats://127.0.0.1:${port('nats')}`,
    natsUsersAreOurs: embedded.nats,
    ...podImage(environment['BRAVO_POD_PROGRAM']),
    sandboxImages: sandboxImages?.directory ?? '',
    localModel,
    insecurePods: options.insecurePods,
    production: environment['BRAVO_ENV'] === 'production',
    caller: environment,
  };
  const plan: Plan = {
    version: 1,
    ports,
    gatewayUrl: `http://127.0.0.1:${port('gateway')}`,
    embeddedPostgres,
    servers: natsProgram === undefined ? [] : [plannedNats(home, natsProgram, port('nats'))],
    services: services.map((service) => plannedService(service, facts)),
    databaseUrl,
    rolePasswords: { apps: secrets.database_roles, owners: secrets.database_owners },
    migrations: services.flatMap(({ app, schema }) =>
      schema ? [{ app, schema, url: ownerDatabaseUrl(databaseUrl, schema, secrets.database_owners[schema]) }] : [],
    ),
    restrictions: [
      ...restrictions(options.insecurePods),
      ...(isRoot() && sandboxImages === undefined ? [WITHOUT_IMAGES] : []),
    ],
  };
  writePlan(home, plan);
  return plan;
};
