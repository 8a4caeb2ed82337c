/** Everything the supervisor needs, decided before it starts: what runs, with which environment, and how one sees that it is well. */
import path from 'node:path';
import { checkout, nodeProgram } from './checkout.ts';
import type { Schema } from './database.ts';
import type { RolePasswords } from './database-roles.ts';
import { postgresUrl, type EmbeddedPostgres } from './embedded-postgres.ts';
import { readJson, writePrivate, type Home } from './home.ts';
import { serviceEnvironment, type EnvironmentFacts } from './service-environment.ts';
import { services, httpPortName, grpcPortName, proxyPortName } from './service-catalogue.ts';
import type { PortRequest } from './ports.ts';
import type { SpawnPlan } from './spawn-plan.ts';

export type HealthProbe =
  | { readonly kind: 'http'; readonly port: number; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'nats'; readonly port: number };

export interface PlannedProcess {
  readonly name: string;
  /** Shown to people; never holds a password. */
  readonly url: string;
  readonly health: HealthProbe;
  readonly spawn: SpawnPlan;
}

export interface Plan {
  readonly version: 1;
  readonly ports: Readonly<Record<string, number>>;
  readonly gatewayUrl: string;
  readonly embeddedPostgres: EmbeddedPostgres | null;
  /** PostgreSQL and NATS where they are ours; PostgreSQL's spawn plan is completed once its cluster exists. */
  readonly servers: readonly PlannedProcess[];
  readonly services: readonly PlannedProcess[];
  /** Administrator's URL; roles and schemas are made with it. */
  readonly databaseUrl: string;
  readonly rolePasswords: RolePasswords;
  /** Per app that has a schema: the URL of the schema's owner. */
  readonly migrations: readonly { readonly app: string; readonly schema: Schema; readonly url: string }[];
  readonly restrictions: readonly string[];
}

export const portRequests = (
  remembered: Readonly<Record<string, number>>,
  pinnedGatewayPort: number | undefined,
  embedded: { readonly postgres: boolean; readonly nats: boolean },
): PortRequest[] => {
  const names = [
    ...(embedded.postgres ? ['postgres'] : []),
    ...(embedded.nats ? ['nats'] : []),
    ...services.filter(({ app }) => app !== 'gateway').flatMap(({ app, grpc, proxy }) => [
      httpPortName(app),
      ...(grpc ? [grpcPortName(app)] : []),
      ...(proxy === true ? [proxyPortName(app)] : []),
    ]),
  ];
  return [
    // People bookmark the gateway's address: once it has one, another is never put in its place without being asked.
    { name: 'gateway', pinned: pinnedGatewayPort ?? remembered['gateway'], preferred: 8300 },
    ...names.map((name) => ({ name, remembered: remembered[name] })),
  ];
};

/** One service as a process: plain Node on the built program. */
export const plannedService = (service: (typeof services)[number], facts: EnvironmentFacts): PlannedProcess => {
  const port = facts.ports[httpPortName(service.app)] ?? 0;
  return {
    name: service.app,
    url: `http://127.0.0.1:${port}`,
    health: { kind: 'http', port, path: '/readyz' },
    spawn: {
      command: nodeProgram(),
      args: ['--enable-source-maps', path.join(checkout, 'apps', service.app, 'dist', service.program ?? 'main.js')],
      cwd: checkout,
      env: serviceEnvironment(service, facts),
      // It makes directories for the pods' own users below one they may enter.
      ...(service.app === 'agent-orchestrator' ? { umask: 0o022 } : {}),
      stopSignal: 'SIGTERM',
    },
  };
};

export const plannedNats = (home: Home, program: string, port: number): PlannedProcess => ({
  name: 'nats',
  url: `nats://127.0.0.1:${port}`,
  health: { kind: 'nats', port },
  spawn: {
    command: program,
    args: ['-c', path.join(home.run, 'nats.conf')],
    cwd: home.root,
    // A program found on a person's PATH may be a launcher that needs it.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    stopSignal: 'SIGTERM',
  },
});

export const plannedPostgres = (plan: EmbeddedPostgres, spawn: SpawnPlan): PlannedProcess => ({
  name: 'postgres',
  url: `postgresql://127.0.0.1:${plan.port}`,
  health: { kind: 'postgres', url: postgresUrl(plan, 'postgres') },
  spawn,
});

export const writePlan = (home: Home, plan: Plan): void =>
  writePrivate(home.planFile, `${JSON.stringify(plan, null, 2)}\n`);

export const readPlan = (home: Home): Plan | undefined =>
  readJson<Plan>(home.planFile, 'run "./bravo down" and "./bravo up" to write a new one.');
