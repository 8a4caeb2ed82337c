/** Renders each service's whole environment; a service is given only the variables it declares, so no secret strays. */
import path from 'node:path';
import { appDatabaseUrl } from './database.ts';
import type { Home } from './home.ts';
import { auditSigningKeyFile, contentKeyFile, sealingKeyFile, serviceKeyFile, serviceKeysFile, slotKeyFile, type Secrets } from './secrets.ts';
import { grpcPortName, httpPortName, proxyPortName, services, type Service, variablesOf } from './service-catalogue.ts';

export interface EnvironmentFacts {
  readonly home: Home;
  readonly checkout: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly secrets: Secrets;
  /** Administrator's URL; each app gets its own role's. */
  readonly databaseUrl: string;
  readonly natsUrl: string;
  /** False for an external NATS, whose users are the operator's own business (BRAVO_NATS_USER, BRAVO_NATS_PASSWORD). */
  readonly natsUsersAreOurs: boolean;
  readonly podNode: string;
  readonly podProgram: string;
  readonly sandboxNode: string;
  /** Directory of the sandbox's images; '' where none could be had. */
  readonly sandboxImages: string;
  readonly toolboxProgram: string;
  /** Fetched only where it was chosen. */
  readonly localModel?: { readonly weights: string; readonly runtime: string } | undefined;
  readonly insecurePods: boolean;
  readonly production: boolean;
  /** The environment of whoever called: tunables pass through from here, managed variables never do. */
  readonly caller: Readonly<Record<string, string | undefined>>;
}

const onLoopback = (port: number | undefined): string => `127.0.0.1:${port ?? 0}`;

/** Every variable that `up` decides, for one service. */
const managed = (service: Service, facts: EnvironmentFacts): Record<string, string> => {
  const { home, ports, secrets } = facts;
  const peer = (app: string): string => onLoopback(ports[grpcPortName(app)]);
  const http = (app: string): string => `http://${onLoopback(ports[httpPortName(app)])}`;
  return {
    BRAVO_ENV: facts.production ? 'production' : 'development',
    BRAVO_HOST: '127.0.0.1',
    // Where spans are read without a collector: `./bravo up` has one file per process beside its log.
    BRAVO_TRACE_FILE: path.join(home.logs, `${service.app}.traces.jsonl`),
    BRAVO_HTTP_PORT: String(ports[httpPortName(service.app)] ?? 0),
    BRAVO_GRPC_PORT: String(ports[grpcPortName(service.app)] ?? 0),
    BRAVO_SERVICE_KEY_FILE: serviceKeyFile(home, service.service),
    BRAVO_SERVICE_KEYS_FILE: serviceKeysFile(home),
    ...(service.schema
      ? { BRAVO_DATABASE_URL: appDatabaseUrl(facts.databaseUrl, service.schema, secrets.database_roles[service.schema]) }
      : {}),
    BRAVO_NATS_URL: facts.natsUrl,
    ...(facts.natsUsersAreOurs && service.natsUser
      ? { BRAVO_NATS_USER: service.natsUser, BRAVO_NATS_PASSWORD: secrets.nats_users[service.natsUser] }
      : {}),
    BRAVO_IDENTITY_ADDR: peer('identity'),
    BRAVO_ORCHESTRATOR_ADDR: peer('agent-orchestrator'),
    BRAVO_BROKER_ADDR: peer('tool-broker'),
    BRAVO_SANDBOX_ADDR: peer('sandbox-runner'),
    BRAVO_MODELS_ADDR: peer('model-gateway'),
    BRAVO_AUDIT_ADDR: peer('audit'),
    BRAVO_EGRESS_ADDR: onLoopback(ports[proxyPortName('egress')]),
    BRAVO_EGRESS_PORT: String(ports[proxyPortName('egress')] ?? 0),
    BRAVO_AUTOMATION_ADDR: peer('automation'),
    BRAVO_PUBLIC_URL: http('gateway'),
    BRAVO_MCP_URL: `${http('tool-broker')}/mcp/`,
    BRAVO_MODEL_URL: `${http('model-gateway')}/v1`,
    BRAVO_WEB_DIR: path.join(facts.checkout, 'apps', 'web', 'dist'),
    BRAVO_SEALING_KEY_FILE: sealingKeyFile(home),
    BRAVO_SLOT_KEY_FILE: slotKeyFile(home),
    BRAVO_AUDIT_SIGNING_KEY_FILE: auditSigningKeyFile(home),
    BRAVO_AUDIT_CONTENT_KEY_FILE: contentKeyFile(home),
    BRAVO_WITNESS_DATABASE_URL: appDatabaseUrl(facts.databaseUrl, 'witness', secrets.database_roles.witness),
    BRAVO_AUDIT_PRUNER_DATABASE_URL: appDatabaseUrl(facts.databaseUrl, 'pruner', secrets.database_roles.pruner),
    // On the same disk as everything else until the operator names another volume.
    BRAVO_CHECKPOINT_DIRECTORY: facts.caller['BRAVO_CHECKPOINT_DIRECTORY'] || path.join(home.root, 'checkpoints'),
    BRAVO_SEED_DEMO: facts.production ? 'false' : 'true',
    BRAVO_WORKSPACES_DIR: home.workspaces,
    BRAVO_SANDBOX_DIR: home.sandbox,
    BRAVO_PODS_DIR: home.pods,
    BRAVO_SANDBOX_NODE: facts.sandboxNode,
    BRAVO_SANDBOX_IMAGES: facts.sandboxImages,
    BRAVO_TOOLBOX_PROGRAM: facts.toolboxProgram,
    BRAVO_SECCOMP_PROFILE: path.join(facts.checkout, 'deploy', 'seccomp', 'bravo-sandbox.json'),
    BRAVO_POD_NODE: facts.podNode,
    BRAVO_POD_PROGRAM: facts.podProgram,
    BRAVO_INSECURE_PODS: String(facts.insecurePods),
    ...(facts.localModel && {
      BRAVO_LOCAL_MODEL_FILE: facts.localModel.weights,
      BRAVO_LOCAL_MODEL_RUNTIME: facts.localModel.runtime,
    }),
  };
};

/** Variables whose value `up` decides for every service: a person's own are never handed on. */
const decided = new Set([
  ...['BRAVO_ENV', 'BRAVO_HOST', 'BRAVO_HTTP_PORT', 'BRAVO_GRPC_PORT', 'BRAVO_SERVICE_KEY_FILE', 'BRAVO_SERVICE_KEYS_FILE'],
  ...['BRAVO_DATABASE_URL', 'BRAVO_NATS_URL', 'BRAVO_NATS_USER', 'BRAVO_NATS_PASSWORD'],
  ...['BRAVO_IDENTITY_ADDR', 'BRAVO_ORCHESTRATOR_ADDR', 'BRAVO_BROKER_ADDR', 'BRAVO_SANDBOX_ADDR', 'BRAVO_MODELS_ADDR'],
  ...['BRAVO_AUDIT_ADDR', 'BRAVO_AUTOMATION_ADDR', 'BRAVO_PUBLIC_URL', 'BRAVO_MCP_URL', 'BRAVO_MODEL_URL', 'BRAVO_WEB_DIR', 'BRAVO_SEALING_KEY_FILE'],
  ...['BRAVO_AUDIT_SIGNING_KEY_FILE', 'BRAVO_SEED_DEMO', 'BRAVO_WORKSPACES_DIR', 'BRAVO_SANDBOX_DIR', 'BRAVO_PODS_DIR'],
  ...['BRAVO_SANDBOX_NODE', 'BRAVO_SANDBOX_IMAGES', 'BRAVO_SECCOMP_PROFILE', 'BRAVO_POD_NODE', 'BRAVO_POD_PROGRAM', 'BRAVO_INSECURE_PODS'],
  'BRAVO_TRACE_FILE',
  'BRAVO_EGRESS_ADDR',
  'BRAVO_EGRESS_PORT',
  'BRAVO_WITNESS_DATABASE_URL',
  'BRAVO_AUDIT_PRUNER_DATABASE_URL',
  'BRAVO_TOOLBOX_PROGRAM',
  'BRAVO_SLOT_KEY_FILE',
  'BRAVO_AUDIT_CONTENT_KEY_FILE',
]);
export const isDecided = (variable: string): boolean => decided.has(variable);

// Tunables a person may set for the whole stack; everything else in their environment stays outside.
const mayPassThrough = (variable: string): boolean => variable.startsWith('BRAVO_');

export const serviceEnvironment = (service: Service, facts: EnvironmentFacts): Record<string, string> => {
  const decided = managed(service, facts);
  const environment: Record<string, string> = {
    // System directories only: the interpreters a sandbox binds come from here, not from a person's own tools.
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NODE_ENV: 'production',
  };
  for (const variable of variablesOf(service)) {
    const value = decided[variable] ?? (mayPassThrough(variable) ? facts.caller[variable] : undefined);
    if (value !== undefined) environment[variable] = value;
  }
  return environment;
};

export const allServiceEnvironments = (facts: EnvironmentFacts): Record<string, Record<string, string>> =>
  Object.fromEntries(services.map((service) => [service.app, serviceEnvironment(service, facts)]));
