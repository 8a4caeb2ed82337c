/** Audit on a real Postgres and a real NATS with its own permissions, asked over gRPC with signed principals. */
import {
  createGrpcClient,
  createGrpcServer,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  type GrpcServer,
  type ServiceName,
  type Subject,
} from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { NATS_PERMISSIONS } from '@bravo/events/nats/permissions';
import { AuditServiceService } from '@bravo/proto/audit';
import { startTestNats, startTestPostgres, type TestNats, type TestPostgres, waitUntil } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { AUDIT_ACCESS } from './access.grpc.ts';
import { createAudit } from './audit.module.ts';
import { createNoteSigner } from './checkpoints/signed-note.ts';
import { createDatabase, createScanPool, type Database } from './databases/database.prisma.ts';
import { createEntries } from './trail/entries.prisma.ts';
import { eventOf, type EventFacts, messageOf } from './trail/events.fixture.ts';
import { leafOf } from './trail/leaf.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'bravo-audit-'));
const keyFile = (name: string) => path.join(directory, `${name}.json`);
const logger = createLogger('audit', 'silent');
const signer = createNoteSigner(generateKeyPairSync('ed25519').privateKey);
const clients: { close(): void }[] = [];

let postgres: TestPostgres;
let nats: TestNats;
let database: Database;
let scanPool: pg.Pool;
let bus: Bus;
let producer: Bus;
let grpc: GrpcServer;
let address: string;
let running: { stop(): Promise<void> };

const busOf = (user: 'audit' | 'broker') => connectNatsBus({ url: nats.url, user, password: 'p', name: user });
const start = () =>
  createAudit({
    contentKey: new Uint8Array(32),
    retention: { policy: { rows: null, content: null }, least: null, pruneSeconds: 3_600 },
    database,
    databaseUrl: postgres.url('audit'),
    scanPool,
    bus,
    signer,
    checkpointRows: 4,
    checkpointSeconds: 0.3,
    logger,
  });

const clientOf = async (service: ServiceName) => {
  const client = createGrpcClient(AuditServiceService, {
    address,
    audience: 'audit',
    signer: await createPrincipalSigner(service, keyFile(service)),
  });
  clients.push(client);
  return client;
};

const publish = (facts: EventFacts) => {
  const { subject, body } = messageOf(eventOf(facts));
  return producer.publish('EVENTS', subject, body, eventOf(facts).id);
};

beforeAll(async () => {
  const services = ['gateway', 'broker', 'audit'] as const;
  const keys = await Promise.all(
    services.map(async (service) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      writeFileSync(keyFile(service), JSON.stringify(await exportJWK(privateKey)));
      return { ...(await exportJWK(publicKey)), kid: service, alg: 'ES256' };
    }),
  );
  writeFileSync(keyFile('jwks'), JSON.stringify({ keys }));
  const users = (['audit', 'broker'] as const).map((name) => ({ name, password: 'p', ...NATS_PERMISSIONS[name] }));
  [postgres, nats] = await Promise.all([startTestPostgres({ app: 'audit', schema: 'audit' }), startTestNats(users)]);
  database = createDatabase(postgres.url('audit'));
  scanPool = createScanPool(postgres.url('audit'));
  // As main.ts does; jest also wants Prisma's lazy imports to happen while it is looking.
  await database.$queryRaw`SELECT 1`;
  [bus, producer] = [await busOf('audit'), await busOf('broker')];
  await bus.ensureStreams(['EVENTS']);
  const audit = start();
  grpc = createGrpcServer({ service: 'audit', verifier: createPrincipalVerifier('audit', keyFile('jwks')), logger });
  grpc.addService(AuditServiceService, audit.handlers, AUDIT_ACCESS);
  address = `127.0.0.1:${await grpc.listen('127.0.0.1', 0)}`;
  running = audit.start();
});

afterAll(async () => {
  for (const client of clients) client.close();
  await running.stop();
  await grpc.drain(500);
  await Promise.all([bus.close(), producer.close(), scanPool.end(), database.$disconnect()]);
  await Promise.all([nats.stop(), postgres.stop()]);
  rmSync(directory, { recursive: true });
});

const alice: Subject = {
  userId: 'usr_alice',
  workspaceId: 'ws_a',
  role: 'admin',
  permissions: ['view_content', 'audit_read'],
};
const bob: Subject = { userId: 'usr_bob', workspaceId: 'ws_a', role: 'member', permissions: ['view_content'] };
const verified = async (size: number) => {
  const gateway = await clientOf('gateway');
  return waitUntil(`a checkpoint over ${size} entries`, async () => {
    const found = await gateway.verifyLog({ deep: true }, { subject: alice });
    return found.checkpointSize >= size && found;
  });
};

describe('audit', () => {
  it('tells the story of a conversation, verified', async () => {
    await publish({ seq: 1, actor: 'user:usr_bob' });
    await publish({ seq: 2, actor: 'bravo:usr_bob', onbehalfof: 'usr_bob' });
    const found = await verified(2);
    expect(found).toMatchObject({ ok: true, size: 2, firstBadIndex: -1, problem: '', gaps: [] });
    expect(signer.open('bravo/ws_a', found.checkpoint)).toMatch(/^bravo\/ws_a\n2\n/);

    const gateway = await clientOf('gateway');
    const request = {
      page: undefined,
      conversationId: 'cnv_1',
      actor: '',
      type: '',
      from: undefined,
      to: undefined,
      order: 'asc',
      onBehalfOf: '',
      tool: '',
      toolCallId: '',
      decision: '',
      rule: '',
      resource: '',
      text: '',
    };
    const { entries } = await gateway.listEntries(request, { subject: bob });
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({
      index: 1,
      actor: 'bravo:usr_bob',
      onBehalfOf: 'usr_bob',
      producer: 'broker',
      producerSequence: 2,
    });
    expect(JSON.parse(entries[0]?.dataJson ?? '')).toEqual({ mode: 'coworker', title_bytes: 1 });
    await expect(gateway.listEntries({ ...request, conversationId: '' }, { subject: bob })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('is asked by the gateway only', async () => {
    const broker = await clientOf('broker');
    await expect(broker.verifyLog({ deep: true }, { subject: alice })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('gives the broker a key to seal with, and nobody else', async () => {
    const broker = await clientOf('broker');
    const subject = { userId: 'service:broker', workspaceId: 'ws_a', role: '', permissions: [] };
    const key = await broker.getSealingKey({ userId: 'usr_bob' }, { subject });
    expect(key.keyId).toMatch(/^key_/);
    expect(JSON.parse(key.publicJwk)).toMatchObject({ kty: 'EC', crv: 'P-256' });
    expect(JSON.parse(key.publicJwk)).not.toHaveProperty('d');
    expect(await broker.getSealingKey({ userId: 'usr_bob' }, { subject })).toEqual(key);
    const gateway = await clientOf('gateway');
    await expect(gateway.getSealingKey({ userId: 'usr_bob' }, { subject: alice })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(broker.openContent({ toolCallId: 'tc_1' }, { subject })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('takes what comes twice once, also after it was away and the server was gone', async () => {
    await running.stop();
    await publish({ seq: 3 });
    await nats.restart();
    await publish({ seq: 4 });
    // Past the window of the stream's own deduplication only our id check is left.
    const { subject, body } = messageOf(eventOf({ seq: 4 }));
    await producer.publish('EVENTS', subject, body, 'another-message-id');
    running = start().start();
    expect(await verified(4)).toMatchObject({ ok: true, size: 4, gaps: [] });
  });

  it('goes on past a message that is no event', async () => {
    await producer.publish('EVENTS', 'agent.conversation.created.ws_a', 'not an event', 'poison');
    await publish({ seq: 5 });
    expect(await verified(5)).toMatchObject({ ok: true, size: 5 });
    expect(await database.rejection.count()).toBe(1);
  });

  it('signs at once when enough rows came, and what is open when it stops', async () => {
    await running.stop();
    running = createAudit({
      contentKey: new Uint8Array(32),
      retention: { policy: { rows: null, content: null }, least: null, pruneSeconds: 3_600 },
      database,
      databaseUrl: postgres.url('audit'),
      scanPool,
      bus,
      signer,
      checkpointRows: 4,
      checkpointSeconds: 3_600,
      logger,
    }).start();
    for (const seq of [6, 7, 8, 9]) await publish({ seq });
    await verified(9);
    await publish({ seq: 10 });
    await waitUntil('the entry', async () => (await database.entry.count()) === 10);
    await running.stop();
    expect((await database.checkpoint.findFirst({ orderBy: { size: 'desc' } }))?.size).toBe(10n);
    running = start().start();
  });

  it('covers at its start what an earlier process left uncovered', async () => {
    await running.stop();
    await createEntries(database, scanPool).append([leafOf(JSON.stringify(eventOf({ seq: 11 })))]);
    running = start().start();
    expect(await verified(11)).toMatchObject({ ok: true, size: 11 });
  });
});
