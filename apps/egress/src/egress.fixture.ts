/** Egress on a real PostgreSQL behind its real CONNECT port, with a name server and service keys of its own. For specs only. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import {
  createLogger,
  createTicketSigner,
  type EgressRequest,
  type ServiceName,
  type SignTicket,
} from '@bravo/chassis';
import { type Answers, startTestNameServer, startTestPostgres, type TestNameServer } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { createDatabase, type Database } from './databases/database.prisma.ts';
import { createEgress } from './egress.module.ts';

export interface EgressBed {
  /** host:port of the proxy. */
  address: string;
  database: Database;
  names: TestNameServer;
  keysFile: string;
  sign(service: ServiceName): SignTicket;
  keyFile(service: string): string;
  /** Events so far, oldest first. */
  events(): Promise<{ type: string; workspace: string; data: Record<string, unknown> }[]>;
  /** Sends these bytes to the proxy and gives back what it answered until it closed. */
  raw(text: string): Promise<string>;
}

const SERVICES: readonly ServiceName[] = ['broker', 'models', 'audit', 'automation', 'gateway'];
export const WORKSPACE = 'ws_1';

export const requestFor = (port: number, more: Partial<EgressRequest> = {}): EgressRequest => ({
  ...{ purpose: 'fetch', host: 'site.test', port, reach: 'public', decisionId: 'tc_1' },
  ...{ workspaceId: WORKSPACE, conversationId: 'cnv_1', userId: 'usr_1' },
  ...more,
});

export const useEgress = (
  answers: Answers,
  listed: () => readonly string[],
  connectionsPerWorkspace = 50,
): EgressBed => {
  const bed = {} as EgressBed;
  const keys = mkdtempSync(path.join(tmpdir(), 'bravo-egress-keys-'));
  const signers = new Map<string, SignTicket>();
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const postgres = await startTestPostgres({ app: 'egress', schema: 'egress' });
    closers.unshift(() => postgres.stop());
    bed.keyFile = (service) => path.join(keys, service);
    bed.keysFile = path.join(keys, 'all');
    const publicKeys: unknown[] = [];
    for (const service of SERVICES) {
      const pair = await generateKeyPair('ES256', { extractable: true });
      writeFileSync(bed.keyFile(service), JSON.stringify(await exportJWK(pair.privateKey)));
      publicKeys.push({ ...(await exportJWK(pair.publicKey)), kid: service, alg: 'ES256' });
      signers.set(service, await createTicketSigner(service, bed.keyFile(service)));
    }
    writeFileSync(bed.keysFile, JSON.stringify({ keys: publicKeys }));
    bed.sign = (service) => signers.get(service)!;
    bed.names = await startTestNameServer(answers);
    closers.unshift(() => bed.names.stop());
    bed.database = createDatabase(postgres.url('egress'));
    closers.unshift(() => bed.database.$disconnect());
    const edge = createEgress({
      ...{ database: bed.database, relay: { nudge: () => undefined }, logger: createLogger('egress', 'silent') },
      ...{ serviceKeysFile: bed.keysFile, privateDestinations: listed(), dnsServers: [bed.names.address] },
      ...{ connections: 100, connectionsPerWorkspace },
    });
    closers.unshift(() => edge.stop());
    await new Promise<void>((resolve) => edge.server.listen(0, '127.0.0.1', resolve));
    const { port } = edge.server.address() as { port: number };
    bed.address = `127.0.0.1:${port}`;
    bed.events = async () => {
      const rows = await bed.database.outbox.findMany({ orderBy: { id: 'asc' } });
      return rows.map(({ body }) => JSON.parse(body) as Awaited<ReturnType<EgressBed['events']>>[number]);
    };
    bed.raw = (text) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
        const parts: Buffer[] = [];
        socket.on('data', (part: Buffer) => parts.push(part));
        socket.on('error', reject);
        socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
      });
  }, 120_000);
  afterAll(async () => {
    for (const close of closers) await close();
    rmSync(keys, { recursive: true, force: true });
  }, 60_000);
  return bed;
};
