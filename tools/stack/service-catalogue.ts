/** The processes of the platform: which app each is, what it owns, and in which order they start. */
import {
  agentOrchestratorSettings,
  auditSettings,
  gatewaySettings,
  identitySettings,
  modelGatewaySettings,
  sandboxRunnerSettings,
  toolBrokerSettings,
} from '@bravo/config';
import type { Schema } from './database.ts';
import type { NatsUserName, ServiceName } from './secrets.ts';

type Settings = Readonly<Record<string, { readonly variable: string }>>;

export interface Service {
  /** Folder under apps/, and the name in status, logs and state. */
  readonly app: string;
  readonly service: ServiceName;
  readonly settings: Settings;
  readonly schema?: Schema;
  readonly natsUser?: NatsUserName;
  /** False for the gateway, which speaks to people only. */
  readonly grpc: boolean;
  /** Built program that is started; main.js unless said. */
  readonly program?: string;
}

/** Callees before callers, so that a start makes few retries. */
export const services: readonly Service[] = [
  { app: 'identity', service: 'identity', settings: identitySettings, schema: 'identity', natsUser: 'identity', grpc: true },
  { app: 'audit', service: 'audit', settings: auditSettings, schema: 'audit', natsUser: 'audit', grpc: true },
  { app: 'model-gateway', service: 'models', settings: modelGatewaySettings, schema: 'models', grpc: true },
  {
    app: 'sandbox-runner',
    service: 'sandbox',
    settings: sandboxRunnerSettings,
    schema: 'sandbox',
    grpc: true,
    // Starts main.js in namespaces of its own, so that a killed runner leaves no program running.
    program: 'launch.js',
  },
  { app: 'tool-broker', service: 'broker', settings: toolBrokerSettings, schema: 'broker', natsUser: 'broker', grpc: true },
  {
    app: 'agent-orchestrator',
    service: 'orchestrator',
    settings: agentOrchestratorSettings,
    schema: 'orchestrator',
    natsUser: 'orchestrator',
    grpc: true,
  },
  { app: 'gateway', service: 'gateway', settings: gatewaySettings, natsUser: 'gateway', grpc: false },
];

/** Name of a port in the state file. The gateway's is the one people see. */
export const httpPortName = (app: string): string => (app === 'gateway' ? 'gateway' : `${app}.http`);
export const grpcPortName = (app: string): string => `${app}.grpc`;

/** Accepts the folder name and the short service name: "agent-orchestrator" and "orchestrator". */
export const findService = (name: string): Service | undefined =>
  services.find(({ app, service }) => app === name || service === name);
