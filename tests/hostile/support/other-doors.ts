/** Tries one credential on every door of the platform that is not a pod's; says of each which status or error it got. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { AuditServiceService } from '@bravo/proto/audit';
import { BrokerServiceService } from '@bravo/proto/broker';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import type { Platform } from '@bravo/testing';
import { homeAt } from '@bravo/tools/stack/home';
import { readPlan } from '@bravo/tools/stack/plan';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { RestClient } from '../../journeys/support/rest-client.ts';
import type { Attempts } from './attempts.ts';
import { REST_ROUTES } from './hostile-lists.ts';
import type { PodSeat } from './pod-seat.ts';

const SERVICES = {
  identity: [IdentityServiceService],
  orchestrator: [OrchestratorServiceService],
  broker: [BrokerServiceService],
  sandbox: [SandboxServiceService, WorkspaceServiceService],
  models: [ModelsServiceService],
  audit: [AuditServiceService],
} as const;

interface Method {
  readonly path: string;
  readonly responseStream: boolean;
}

const GRPC_MS = 10_000;
const UNAUTHENTICATED = 16;

const statusOf = (client: Client, { path, responseStream }: Method, bearer: string): Promise<number> => {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${bearer}`);
  const nothing = () => Buffer.alloc(0);
  const raw = (bytes: Buffer) => bytes;
  const options = { deadline: Date.now() + GRPC_MS };
  return new Promise((resolve) => {
    if (!responseStream) {
      client.makeUnaryRequest(path, nothing, raw, {}, metadata, options, (error) => resolve(error?.code ?? 0));
      return;
    }
    const call = client.makeServerStreamRequest(path, nothing, raw, {}, metadata, options);
    call.on('data', () => undefined);
    call.on('error', (error) => resolve((error as { code?: number }).code ?? -1));
    call.on('end', () => resolve(0));
  });
};

/** gRPC status by method path, of every method of every service. */
const tryGrpc = async (platform: Platform, bearer: string): Promise<Map<string, number>> => {
  const got = new Map<string, number>();
  for (const [service, definitions] of Object.entries(SERVICES)) {
    const client = new Client(platform.grpcAddresses[service] ?? '', credentials.createInsecure());
    const methods = definitions.flatMap((definition) => Object.values(definition) as Method[]);
    await Promise.all(methods.map(async (method) => got.set(method.path, await statusOf(client, method, bearer))));
    client.close();
  }
  return got;
};

interface Door {
  readonly name: string;
  /** Empty where it let the caller in. */
  readonly refusal: string;
}

const serviceEnvironments = (platform: Platform): Readonly<Record<string, string>>[] => {
  const plan = readPlan(homeAt(platform.home));
  if (plan === undefined) throw new Error('the platform left no plan');
  return plan.services.map(({ spawn }) => spawn.env);
};

const natsUrlOf = (platform: Platform): string => serviceEnvironments(platform).find((env) => env['BRAVO_NATS_URL'])?.['BRAVO_NATS_URL'] ?? '';

/** As the password of every NATS user, and as a NATS token. */
const tryNats = async (platform: Platform, secret: string): Promise<Door[]> => {
  const servers = natsUrlOf(platform);
  const users = [...new Set(serviceEnvironments(platform).flatMap((env) => env['BRAVO_NATS_USER'] ?? []))];
  const ways = [...users.map((user) => ({ name: `NATS as ${user}`, user, pass: secret })), { name: 'NATS by token', token: secret }, { name: 'NATS as nobody' }];
  return Promise.all(
    ways.map(async ({ name, ...who }) => {
      try {
        const connection = await connect({ servers, ...who, reconnect: false, maxReconnectAttempts: 0, timeout: 5_000 });
        await connection.close();
        return { name, refusal: '' };
      } catch (error) {
        return { name, refusal: (error as Error).message };
      }
    }),
  );
};

/** As the password of every database role that a service uses. */
const tryDatabase = async (platform: Platform, secret: string): Promise<Door[]> => {
  const urls = [...new Set(serviceEnvironments(platform).flatMap((env) => env['BRAVO_DATABASE_URL'] ?? []))];
  return Promise.all(
    urls.map(async (text) => {
      const url = new URL(text);
      const name = `database as ${url.username}`;
      url.password = secret;
      const client = new pg.Client({ connectionString: url.toString(), connectionTimeoutMillis: 5_000 });
      try {
        await client.connect();
        await client.end();
        return { name, refusal: '' };
      } catch (error) {
        return { name, refusal: (error as Error).message };
      }
    }),
  );
};

/** The token of a pod at everything that is not the broker or the model gateway. */
export const tryOtherDoors = async (attempts: Attempts, platform: Platform, seat: PodSeat): Promise<void> => {
  const rest = new RestClient(platform.gatewayUrl, seat.token, 'acme');
  for (const [method, route] of REST_ROUTES(seat.conversation)) {
    await attempts.try(`its token at ${method} ${route.replace(seat.conversation, ':cid')}`, '401', async () => {
      const { status } = await rest.call(method, route, method === 'POST' || method === 'PUT' ? { content: 'x' } : undefined);
      return { got: String(status), held: status === 401 };
    });
  }
  await attempts.try('its token as a session cookie', '401', async () => {
    const { status } = await fetch(`${platform.gatewayUrl}/api/v1/me`, { headers: { cookie: `bravo_session=${seat.token}` } });
    return { got: String(status), held: status === 401 };
  });
  await attempts.try('its token at every gRPC method', 'UNAUTHENTICATED everywhere', async () => {
    const grpc = await tryGrpc(platform, seat.token);
    const other = [...grpc].filter(([, status]) => status !== UNAUTHENTICATED);
    return { got: other.length === 0 ? `UNAUTHENTICATED at ${grpc.size} methods` : JSON.stringify(other), held: grpc.size > 40 && other.length === 0 };
  });
  const doors = [...(await tryNats(platform, seat.token)), ...(await tryDatabase(platform, seat.token))];
  if (doors.length < 9) throw new Error(`only ${doors.length} doors were found to try`);
  for (const { name, refusal } of doors) {
    await attempts.try(`its token at the ${name}`, 'no connection', () => Promise.resolve({ got: refusal || 'it was let in', held: /authenti|authoriz/i.test(refusal) }));
  }
};
