/** One environment variable: its schema, its sentence in the generated reference, and whether it is a secret. */
import { z } from 'zod';

export interface Setting<T extends z.ZodType = z.ZodType> {
  readonly variable: string;
  readonly schema: T;
  readonly description: string;
  readonly secret: boolean;
}

export const setting = <T extends z.ZodType>(
  variable: string,
  schema: T,
  description: string,
  options: { secret?: boolean } = {},
): Setting<T> => ({ variable, schema, description, secret: options.secret ?? false });

export type Settings = Readonly<Record<string, Setting>>;

export type ConfigOf<S extends Settings> = { readonly [K in keyof S]: z.output<S[K]['schema']> };

const port = z.coerce.number().int().min(0).max(65_535);

/** "true/1/yes/on" and "false/0/no/off"; anything else is an error, so that a typo never means "on". */
export const flag = z.stringbool();

/** host:port of a gRPC service. */
export const address = z.string().regex(/^[^\s:]+:\d{1,5}$/, 'must be host:port');

export const duration = (fallbackSeconds: number) =>
  z.coerce.number().positive().max(31_536_000).default(fallbackSeconds);

/** What every service process has. */
export const processSettings = {
  env: setting(
    'BRAVO_ENV',
    z.enum(['development', 'production']).default('development'),
    'Production refuses the demo sign-in, seeding and operator shortcuts.',
  ),
  host: setting('BRAVO_HOST', z.string().min(1).default('127.0.0.1'), 'Address the servers of this process listen on.'),
  httpPort: setting(
    'BRAVO_HTTP_PORT',
    port.default(0),
    'Port of /healthz, /readyz and of the HTTP API where the app has one; 0 takes a free one.',
  ),
  logLevel: setting(
    'BRAVO_LOG_LEVEL',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Least level that is logged.',
  ),
  traceFile: setting(
    'BRAVO_TRACE_FILE',
    z.string().default(''),
    'File the spans of this process are written to, one JSON object a line, kept below 32 MiB; empty writes none.',
  ),
  otlpEndpoint: setting(
    'BRAVO_OTLP_ENDPOINT',
    z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
    'Base URL of an OpenTelemetry collector (OTLP over HTTP) spans are sent to, for example http://127.0.0.1:4318; empty sends none.',
  ),
} as const satisfies Settings;

/** What every process that speaks gRPC inside the platform has. */
export const grpcSettings = {
  grpcPort: setting('BRAVO_GRPC_PORT', port.default(0), 'Port of the gRPC server; 0 takes a free one.'),
  serviceKeyFile: setting(
    'BRAVO_SERVICE_KEY_FILE',
    z.string().min(1),
    'File with the ES256 private key (JWK) this service signs its principals with.',
  ),
  serviceKeysFile: setting(
    'BRAVO_SERVICE_KEYS_FILE',
    z.string().min(1),
    'File with the public keys (JWKS, kid = service name) of every service.',
  ),
} as const satisfies Settings;

export const databaseSettings = {
  databaseUrl: setting(
    'BRAVO_DATABASE_URL',
    z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://'),
    'Postgres URL of the role and schema (?schema=) this app owns.',
    { secret: true },
  ),
} as const satisfies Settings;

export const natsSettings = {
  natsUrl: setting(
    'BRAVO_NATS_URL',
    z.string().min(1),
    'NATS server with JetStream, for example nats://127.0.0.1:4222.',
  ),
  natsUser: setting(
    'BRAVO_NATS_USER',
    z.string().default(''),
    'NATS user of this service; empty where the server asks for none.',
  ),
  natsPassword: setting('BRAVO_NATS_PASSWORD', z.string().default(''), 'Password of that user.', { secret: true }),
} as const satisfies Settings;

const peer = (variable: string, name: string) => setting(variable, address, `gRPC address of ${name}.`);
export const identityAddress = peer('BRAVO_IDENTITY_ADDR', 'identity');
export const orchestratorAddress = peer('BRAVO_ORCHESTRATOR_ADDR', 'agent-orchestrator');
export const brokerAddress = peer('BRAVO_BROKER_ADDR', 'tool-broker');
export const sandboxAddress = peer('BRAVO_SANDBOX_ADDR', 'sandbox-runner');
export const modelsAddress = peer('BRAVO_MODELS_ADDR', 'model-gateway');
/** Plain HTTP on the platform's own network: what goes through a tunnel speaks TLS with its destination. */
export const egressAddress = setting(
  'BRAVO_EGRESS_ADDR',
  address,
  'Address of egress, through which this service reaches what lies outside.',
);
export const outboundCertificates = setting(
  'BRAVO_OUTBOUND_CA_FILE',
  z.string().default(''),
  'File with certificates (PEM) of authorities that are trusted outside besides the usual ones, as a company may have of its own.',
);
export const auditAddress = peer('BRAVO_AUDIT_ADDR', 'audit');
export const automationAddress = peer('BRAVO_AUTOMATION_ADDR', 'automation');

/** What contains programs and local pods. */
export const ociRuntime = setting(
  'BRAVO_OCI_RUNTIME',
  z.string().default('crun'),
  'OCI runtime program, crun or runc. Where crun is not there, runc stands in.',
);
export const seccompProfile = setting(
  'BRAVO_SECCOMP_PROFILE',
  z.string().min(1),
  'Resolved OCI seccomp profile (JSON).',
);

/** How many users local pods are given from the first one on. */
export const POD_USERS = 4_000;

export const podUserSettings = {
  podFirstUid: setting(
    'BRAVO_POD_FIRST_UID',
    z.coerce.number().int().min(1000).default(61_000),
    `First of the ${POD_USERS} uids given to local pods, one each; the gateway takes no connection from them.`,
  ),
} as const satisfies Settings;
