/** Checkpoints reach a directory, an HTTP server that fails, a table of another role and a witness that checks proofs. */
import { createPublicKey, generateKeyPairSync, createHash, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@bravo/testing';
import { chooseFreePort } from '@bravo/tools/stack/ports';
import pg from 'pg';
import { useEgress } from '../../../egress/src/egress.fixture.ts';
import { numbered, useTrail } from '../trail/trail.fixture.ts';
import { createCheckpointDirectory } from './checkpoint-directory.client.ts';
import type { CheckpointSink, PostText } from './checkpoint-sink.port.ts';
import { createCheckpointTable } from './checkpoint-table.prisma.ts';
import { createCheckpointWebhook } from './checkpoint-webhook.client.ts';
import { createPostText } from './post-text.client.ts';
import { proofMakerOf } from './prove.ts';
import { startPublishCheckpoints } from './publish-checkpoints.ts';
import { verifyConsistency } from './verify-consistency.fixture.ts';
import { createWitness, readWitness } from './witness.client.ts';

const trail = useTrail();
let place = 0;
beforeAll(async () => {
  place = await chooseFreePort();
});
const bed = useEgress(
  () => ['127.0.0.1'],
  () => [`audit=places.test:${place}`],
);
const directory = mkdtempSync(path.join(tmpdir(), 'bravo-checkpoints-'));
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) server.close();
  rmSync(directory, { recursive: true });
});

const serve = async (answer: (body: string, request: IncomingMessage) => [number, string]): Promise<string> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [status, text] = answer(Buffer.concat(chunks).toString(), request);
      response.writeHead(status).end(text);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** As egress would bring it, without egress. */
const straight: PostText = async (url, body) => {
  const response = await fetch(url, { method: 'POST', body, redirect: 'error' });
  return { status: response.status, text: await response.text() };
};

const publishTo = (sinks: readonly CheckpointSink[]) => {
  const failures: string[] = [];
  const { deliveries } = trail.open();
  const publisher = startPublishCheckpoints({
    sinks,
    deliveries,
    lookMs: 50,
    onFailure: (sink, error) => failures.push(`${sink}: ${(error as Error).message}`),
  });
  return { publisher, failures, deliveries };
};

const grow = async (from: number, to: number) => {
  await trail.recordMany(...numbered(to).slice(from));
  await trail.open().signCheckpoint('ws_a');
};

describe('publishing checkpoints', () => {
  it('writes each into a directory, as a file that is never written again', async () => {
    await grow(0, 3);
    const sink = createCheckpointDirectory(directory);
    const { publisher } = publishTo([sink]);
    const files = () => readdirSync(path.join(directory, 'ws_a'));
    await waitUntil('the first file', () => files().length === 1);
    await grow(3, 5);
    publisher.nudge();
    await waitUntil('the second file', () => files().length === 2);
    await publisher.stop();
    const [first = ''] = files().sort();
    expect(first).toMatch(/^000000000000003\.[0-9a-f]{8}\.note$/);
    const note = readFileSync(path.join(directory, 'ws_a', first), 'utf8');
    expect(trail.signer.open('bravo/ws_a', note)).toMatch(/^bravo\/ws_a\n3\n/);
    await sink.publish({ workspaceId: 'ws_a', size: 3, note }, 0);
    await expect(sink.publish({ workspaceId: '../ws_a', size: 3, note }, 0)).rejects.toThrow(/folder/);
    expect(files()).toHaveLength(2);
  });

  it('asks an HTTP server again that fails, and one that is away holds up no other', async () => {
    await grow(0, 3);
    const taken: string[] = [];
    let refusals = 2;
    const url = await serve((body) => {
      if (refusals-- > 0) return [503, 'later'];
      taken.push(body);
      return [204, ''];
    });
    const away = createCheckpointWebhook('http://127.0.0.1:9/none', straight);
    const { publisher, failures } = publishTo([away, createCheckpointWebhook(`${url}/checkpoints`, straight)]);
    await waitUntil('the delivery', () => taken.length === 1, { timeoutMs: 10_000 });
    expect(taken[0]).toMatch(/^bravo\/ws_a\n3\n/);
    expect(failures.filter((failure) => failure.endsWith('answered 503'))).toHaveLength(2);
    expect(publisher.lag().find(({ sink }) => sink === away.name)?.seconds).toBeGreaterThan(0);
    await publisher.stop();
  });

  it('brings them through egress where the operator listed the place, and its own log no more than now and then', async () => {
    const taken: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      // A place that keeps no connection: each time is told anew.
      request.on('end', () => {
        taken.push(body.split('\n')[0] ?? '');
        response.writeHead(204, { connection: 'close' }).end();
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(place, '127.0.0.1', resolve));
    const way = { address: bed.address, sign: bed.sign('audit') };
    await trail.recordMany({ seq: 1 }, { seq: 2, workspace: 'platform' });
    for (const workspace of ['ws_a', 'platform']) await trail.open().signCheckpoint(workspace);
    const { publisher, failures } = publishTo([
      createCheckpointWebhook(`http://places.test:${place}/`, createPostText(way)),
    ]);
    await waitUntil('both logs', () => taken.length === 2);
    await trail.recordMany({ seq: 3 }, { seq: 4, workspace: 'platform' });
    for (const workspace of ['ws_a', 'platform']) await trail.open().signCheckpoint(workspace);
    publisher.nudge();
    await waitUntil('the other log', () => taken.length === 3);
    await publisher.stop();
    expect({ taken: taken.sort(), failures }).toEqual({
      taken: ['bravo/platform', 'bravo/ws_a', 'bravo/ws_a'],
      failures: [],
    });
    const told = (await bed.events()).filter(({ type }) => type === 'agent.egress.allowed');
    expect(told[0]).toMatchObject({ workspace: 'platform', data: { service: 'audit', decision_id: 'checkpoints' } });
    const unlisted = createCheckpointWebhook('http://places.test:9/', createPostText(way));
    await expect(unlisted.publish({ workspaceId: 'ws_a', size: 1, note: '' }, 0)).rejects.toThrow(/not public/);
  });

  it("keeps them in a table that the log's own owner cannot change", async () => {
    await grow(0, 3);
    const pool = new pg.Pool({ connectionString: trail.url('witness') });
    const { publisher, deliveries } = publishTo([createCheckpointTable(pool)]);
    await waitUntil('the row', async () => (await deliveries.pending('table')).length === 0);
    await publisher.stop();
    expect((await pool.query('SELECT size FROM witness.checkpoints')).rows).toEqual([{ size: '3' }]);
    await expect(pool.query('DELETE FROM witness.checkpoints')).rejects.toThrow(/permission denied/);
    await expect(trail.asOwner('DELETE FROM witness.checkpoints')).rejects.toThrow(/permission denied/);
    await pool.end();
  });
});

/** A witness as the specification has it, small: it keeps what it signed last and wants a proof from there. */
const startWitness = async (key: KeyObject, seen: Map<string, { size: number; root: Buffer }>) => {
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32);
  const typed = Buffer.concat([Uint8Array.of(4), raw]);
  const id = createHash('sha256').update('witness.test\n').update(typed).digest().subarray(0, 4);
  const url = await serve((body) => {
    const [head = '', ...rest] = body.split('\n\n');
    const note = rest.join('\n\n');
    const [old = '', ...proof] = head.split('\n');
    const [origin = '', size = '', root = ''] = note.split('\n');
    const known = seen.get(origin) ?? { size: 0, root: Buffer.alloc(0) };
    const older = Number(old.replace('old ', ''));
    if (older !== known.size) return [409, `${known.size}\n`];
    const hashes = proof.map((line) => Buffer.from(line, 'base64'));
    const now = { size: Number(size), root: Buffer.from(root, 'base64') };
    if (older > 0 && !verifyConsistency(known, now, hashes)) return [422, ''];
    seen.set(origin, now);
    const time = 1_790_000_000n;
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const signature = Buffer.concat([
      id,
      Buffer.alloc(8),
      sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key),
    ]);
    signature.writeBigUInt64BE(time, 4);
    return [200, `— witness.test ${signature.toString('base64')}\n`];
  });
  return { url, verifierKey: `witness.test+${id.toString('hex')}+${typed.toString('base64')}` };
};

describe('a witness', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const prove = (workspaceId: string, older: number, newer: number) =>
    proofMakerOf(trail.open().checkpoints, workspaceId, newer).consistency(older);

  it('cosigns what extends what it saw, also when it knows more than we remember', async () => {
    const seen = new Map<string, { size: number; root: Buffer }>();
    const witness = readWitness(Object.values(await startWitness(privateKey, seen)).join(' '));
    for (const [from, to] of [
      [0, 3],
      [3, 10],
      [10, 300],
    ] as const) {
      await grow(from, to);
      const { publisher, deliveries, failures } = publishTo([createWitness(witness, prove, straight)]);
      await waitUntil('the cosignature', async () => (await deliveries.answers('ws_a', to)).length === 1);
      await publisher.stop();
      expect(failures).toEqual([]);
      if (to === 3) await trail.tamper('TRUNCATE deliveries');
    }
    expect(seen.get('bravo/ws_a')?.size).toBe(300);
  });

  it('that saw a longer log, or signs with another key, is a failure that is told', async () => {
    const seen = new Map([['bravo/ws_a', { size: 9, root: Buffer.alloc(32) }]]);
    const told = await startWitness(privateKey, seen);
    await grow(0, 3);
    const checkpoint = await trail.open().checkpoints.latest('ws_a');
    const published = { workspaceId: 'ws_a', size: 3, note: checkpoint?.note ?? '' };
    await expect(createWitness(told, prove, straight).publish(published, 0)).rejects.toThrow(
      /has seen 9 entries, and the log has 3/,
    );
    const other = await startWitness(generateKeyPairSync('ed25519').privateKey, new Map());
    await expect(createWitness({ ...told, url: other.url }, prove, straight).publish(published, 0)).rejects.toThrow(
      /no signature of its own/,
    );
    expect(() => readWitness('http://a key')).toThrow(/verifier key/);
    expect(() => readWitness('nowhere')).toThrow(/address/);
  });
});
