/** The processes of the platform: which app each is, what it owns, and in which order they start. */
import { APP_SETTINGS, type AppName } from '@bravo/config';
import type { Schema } from './database.ts';
import type { NatsUserName, ServiceName } from './secrets.ts';

export interface Service {
  /** Folder under apps/, and the name in status, logs and state. */
  readonly app: AppName;
  readonly service: ServiceName;
  readonly schema?: Schema;
  readonly natsUser?: NatsUserName;
  /** False for the gateway, which speaks to people only, and for egress. */
  readonly grpc: boolean;
  /** It has a port for tunnels to the outside. */
  readonly proxy?: boolean;
  /** Built program that is started; main.js unless said. */
  readonly program?: string;
}

/** Callees before callers, so that a start makes few retries. */
export const services: readonly Service[] = [
  { app: 'identity', service: 'identity', schema: 'identity', natsUser: 'identity', grpc: true },
  { app: 'audit', service: 'audit', schema: 'audit', natsUser: 'audit', grpc: true },
  // Speaks no gRPC: a CONNECT proxy beside its HTTP port.
  { app: 'egress', service: 'egress', schema: 'egress', natsUser: 'egress', grpc: false, proxy: true },
  { app: 'automation', service: 'automation', schema: 'automation', natsUser: 'automation', grpc: true },
  { app: 'model-gateway', service: 'models', schema: 'models', natsUser: 'models', grpc: true },
  {
    app: 'sandbox-runner',
    service: 'sandbox',
   
    schema: 'sandbox',
    grpc: true,
    // Starts main.js in namespaces of its own, so that a killed runner leaves no program running.
    program: 'launch.js',
  },
  { app: 'tool-broker', service: 'broker', schema: 'broker', natsUser: 'broker', grpc: true },
  {
    app: 'agent-orchestrator',
    service: 'orchestrator',
   
    schema: 'orchestrator',
    natsUser: 'orchestrator',
    grpc: true,
  },
  { app: 'gateway', service: 'gateway', natsUser: 'gateway', grpc: false },
];

/** Name of a port in the state file. The gateway's is the one people see. */
export const httpPortName = (app: string): string => (app === 'gateway' ? 'gateway' : `${app}.http`);
export const proxyPortName = (app: string): string => `${app}.proxy`;
export const grpcPortName = (app: string): string => `${app}.grpc`;

/** Names of the environment variables a service declares. */
export const variablesOf = ({ app }: Service): string[] => Object.values(APP_SETTINGS[app]).map(({ variable }) => variable);

/** Accepts the folder name and the short service name: "agent-orchestrator" and "orchestrator". */
export const findService = (name: string): Service | undefined =>
  services.find(({ app, service }) => app === name || service === name);
