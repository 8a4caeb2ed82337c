/** Identity behind its real gRPC server, on a real PostgreSQL, called with signed principals as the other services call it; for specs only. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  createGrpcClient,
  createGrpcServer,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  type GrpcClient,
  type GrpcServer,
  type ServiceName,
  type Subject,
} from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { IdentityServiceService } from '@bravo/proto/identity';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { IDENTITY_ACCESS } from './access.grpc.ts';
import { createDatabase, type Database } from './databases/database.prisma.ts';
import { createIdentity, type Identity } from './identity.module.ts';

type Client = GrpcClient<typeof IdentityServiceService>;
export const SERVICES: readonly ServiceName[] = ['gateway', 'orchestrator', 'broker', 'models', 'operator', 'audit'];

export interface IdentityUnderTest {
  readonly postgres: TestPostgres;
  readonly database: Database;
  readonly identity: Identity;
  /** A client per calling service, with that service's key. */
  readonly as: Readonly<Record<ServiceName, Client>>;
  /** The clock every use case reads; move it forward at will. */
  readonly clock: { now: number };
  readonly announced: { subject: string; body: unknown }[];
  /** alice, bob and carol, as seeded. */
  readonly people: Readonly<Record<string, { id: string; ws: string }>>;
}

export const assembleIdentity = (
  database: Database,
  test: Pick<IdentityUnderTest, 'announced' | 'clock'>,
  options: { production?: boolean; instanceFeatures?: string[] } = {},
): Promise<Identity> =>
  createIdentity({
    database,
    bus: { announce: (subject, body) => void test.announced.push({ subject, body: JSON.parse(body) }) },
    logger: createLogger('identity', 'silent'),
    schema: 'identity',
    production: options.production ?? false,
    sessionTtlSeconds: 3600,
    agentTokenTtlSeconds: 600,
    instanceFeatures: options.instanceFeatures ?? [],
    sealingKey: randomBytes(32),
    now: () => new Date(test.clock.now),
  });

const writeKeys = async (directory: string): Promise<void> => {
  const jwks: unknown[] = [];
  for (const service of SERVICES) {
    const pair = await generateKeyPair('ES256', { extractable: true });
    writeFileSync(path.join(directory, service), JSON.stringify(await exportJWK(pair.privateKey)));
    jwks.push({ ...(await exportJWK(pair.publicKey)), kid: service, alg: 'ES256' });
  }
  writeFileSync(path.join(directory, 'all'), JSON.stringify({ keys: jwks }));
};

/** Starts everything before the specs of the calling file and stops it after them. The object is filled by then. */
export const useIdentity = (): IdentityUnderTest => {
  const clients = {} as Record<ServiceName, Client>;
  const people: Record<string, { id: string; ws: string }> = {};
  const test = { as: clients, people, announced: [], clock: { now: Date.now() } } as unknown as {
    -readonly [K in keyof IdentityUnderTest]: IdentityUnderTest[K];
  };
  let server: GrpcServer | undefined;
  const keys = mkdtempSync(path.join(tmpdir(), 'bravo-identity-keys-'));

  beforeAll(async () => {
    test.postgres = await startTestPostgres({ app: 'identity', schema: 'identity' });
    test.database = createDatabase(test.postgres.url('identity'));
    test.identity = await assembleIdentity(test.database, test);
    await writeKeys(keys);
    const verifier = createPrincipalVerifier('identity', path.join(keys, 'all'));
    server = createGrpcServer({ service: 'identity', verifier, logger: createLogger('identity', 'silent') });
    server.addService(IdentityServiceService, test.identity.handlers, IDENTITY_ACCESS);
    const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
    for (const service of SERVICES) {
      const signer = await createPrincipalSigner(service, path.join(keys, service));
      clients[service] = createGrpcClient(IdentityServiceService, { address, audience: 'identity', signer });
    }
    await test.identity.seedDemo();
    for (const name of ['alice', 'bob', 'carol']) {
      const { person, memberships } = await clients.gateway.signIn({ name });
      people[name] = { id: person?.id ?? '', ws: memberships[0]?.workspaceId ?? '' };
    }
  }, 60_000);

  afterAll(async () => {
    for (const client of Object.values(clients)) client.close();
    await server?.drain(500);
    await test.database?.$disconnect();
    await test.postgres?.stop();
    rmSync(keys, { recursive: true, force: true });
  });
  return test;
};

/** A person's call through the gateway, with what their session gives. */
export const through = (
  test: IdentityUnderTest,
  name: string,
  permissions: readonly string[] = ['workspace:configure'],
): { subject: Subject } => {
  const person = test.people[name];
  if (!person) throw new Error(`nobody is called ${name}`);
  return { subject: { userId: person.id, workspaceId: person.ws, permissions } };
};

/** Expects the call to be refused with that code. @returns the fault. */
export const fails = async (call: Promise<unknown>, code: string, detail?: RegExp): Promise<Fault> => {
  const fault = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(Fault);
  expect((fault as Fault).code).toBe(code);
  if (detail) expect((fault as Fault).detail).toMatch(detail);
  return fault as Fault;
};

/** The events of one type that wait in or went through the outbox, oldest first. */
export const eventsOf = async (test: IdentityUnderTest, type: string): Promise<Record<string, unknown>[]> =>
  (await test.database.outbox.findMany({ orderBy: { id: 'asc' } }))
    .map((row) => JSON.parse(row.body) as Record<string, unknown>)
    .filter((event) => event['type'] === type);
