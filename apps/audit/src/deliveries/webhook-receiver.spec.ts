/** The trail brought to an HTTPS address that does everything wrong before it does it right. */
import { createHmac } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '@bravo/testing';
import { checkout } from '@bravo/tools/stack/checkout';
import { numbered } from '../trail/trail.fixture.ts';
import { admin, type Identity, useDeliveries } from './deliveries.fixture.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
interface Taken {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly indexes: readonly number[];
}

const world = useDeliveries();
let server: Server;
let answer: Answer;
let asked = 0;
const taken: Taken[] = [];
const take: Answer = (request, response, body) => {
  const indexes = body
    .split('\n')
    .flatMap((line) => (line.startsWith('{"index"') ? [(JSON.parse(line) as { index: number }).index] : []));
  taken.push({ headers: request.headers, body, indexes });
  response.writeHead(204).end();
};
const serve = (identity: Identity): Server =>
  createServer(identity, (request, response) => {
    let body = '';
    request.on('error', () => undefined);
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked += 1;
      answer(request, response, body);
    });
  });

const listen = async (identity: Identity = world.identity.trusted): Promise<void> => {
  server = serve(identity);
  await new Promise<void>((resolve) => server.listen(world.ports[0], '127.0.0.1', resolve));
};
const close = (): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const run = promisify(execFile);
const url = (port = world.ports[0]): string => `https://siem.test:${port}/trail`;
const directory = mkdtempSync(path.join(tmpdir(), 'bravo-delivery-'));
afterAll(() => rmSync(directory, { recursive: true }));
beforeEach(async () => {
  taken.length = 0;
  asked = 0;
  answer = take;
  await listen();
});
afterEach(async () => {
  await world.stopAll();
  await close();
});

const grow = async (count: number, over: object = {}): Promise<void> => {
  await world.recordMany(...numbered(count, over));
  await world.open().signCheckpoint('ws_a');
};
const problemIs = (pattern: RegExp) =>
  waitUntil(`a problem like ${pattern}`, async () => pattern.test((await world.one()).problem), { timeoutMs: 30_000 });
const seen = (): number[] => [...new Set(taken.flatMap(({ indexes }) => indexes))].sort((a, b) => a - b);

describe('a webhook', () => {
  it('is brought every entry with its proof, signed with a secret that is told once, and goes on where it was [trail.deliveries]', async () => {
    await grow(20);
    const { signingSecret, destination } = await world.add(url());
    expect(signingSecret).toMatch(/^whsec_/);
    world.start();
    await world.reaches(20);
    await world.recordMany({ seq: 21 });
    await world.open().signCheckpoint('ws_a');
    await world.reaches(21);
    expect(taken.map(({ indexes }) => indexes.length)).toEqual([20, 1]);
    for (const { headers, body } of taken) {
      const key = Buffer.from(signingSecret.slice('whsec_'.length), 'base64');
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    }
    expect(taken[0]?.headers['webhook-id']).toBe(`${destination.destinationId}_0_20`);
    expect(taken[0]?.headers['content-type']).toBe('application/x-ndjson');
    // What came is an export: the standalone program believes none of it and finds it right.
    const file = path.join(directory, 'delivered.jsonl');
    writeFileSync(file, taken[0]?.body ?? '');
    const program = path.join(checkout, 'apps', 'bravo-verify', 'src', 'main.ts');
    const { stdout } = await run(process.execPath, [
      program,
      file,
      '--json',
      '--key',
      world.signer.verifierKey('bravo/ws_a'),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, entries: 20, size: 20, whole: false });
    // Both came over one connection, which the trail of the workspace tells.
    const told = (await world.bed.events()).filter(({ data }) => data['decision_id'] === destination.destinationId);
    expect(told).toMatchObject([
      {
        type: 'agent.egress.allowed',
        workspace: 'ws_a',
        data: { service: 'audit', purpose: 'delivery', host: 'siem.test' },
      },
    ]);
  });

  it('that fails in every way holds up its own position, is told of in our words, and misses nothing [trail.deliveries] [trail.delivery-order]', async () => {
    await grow(5);
    await world.add(url());
    const words = 'do not show these words';
    const failures: [string, Answer, RegExp][] = [
      ['500', (_request, response) => response.writeHead(500).end(words), /^It answered 500\.$/],
      [
        'a redirect',
        (_request, response) => response.writeHead(302, { location: 'https://other.test/' }).end(),
        /302, which leads elsewhere/,
      ],
      ['a reset', (request) => request.socket.destroy(), /broke off before/],
      [
        'half an answer',
        (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' }).write('half');
          setTimeout(() => response.destroy(), 50);
        },
        /broke off its answer/,
      ],
      ['no answer', () => undefined, /did not answer in time/],
      [
        'an endless answer',
        (_request, response) => {
          response.writeHead(200);
          const more = setInterval(() => response.write('x'.repeat(65_536)), 5);
          response.on('close', () => clearInterval(more));
        },
        /more than anybody asked for/,
      ],
    ];
    [, answer] = failures[0] as (typeof failures)[0];
    world.start();
    for (const [, failing, sentence] of failures) {
      answer = failing;
      await problemIs(sentence);
    }
    expect(taken).toEqual([]);
    const { nextIndex, failures: count, failingSince, problem } = await world.one();
    expect({ nextIndex, failing: failingSince instanceof Date }).toEqual({ nextIndex: 0, failing: true });
    expect(count).toBeGreaterThanOrEqual(failures.length);
    expect(problem).not.toContain(words);
    expect(await world.open().alerts.list('ws_a', 10)).toMatchObject([
      { kind: 'delivery', detail: expect.stringContaining('"SIEM"') },
    ]);
    // The product goes on meanwhile: the log grows, and what was begun is brought as it was begun.
    await world.recordMany({ seq: 6 });
    await world.open().signCheckpoint('ws_a');
    answer = take;
    await world.reaches(6);
    expect(seen()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(taken[0]?.indexes).toEqual([0, 1, 2, 3, 4]);
    expect(await world.one()).toMatchObject({ failures: 0, problem: '', failingSince: undefined });
  });

  it('that is not there, whose certificate is not its own, or that leads inside gets nothing [trail.delivery-public]', async () => {
    await grow(2);
    await close();
    await world.add(url());
    world.start();
    await problemIs(/cannot be reached from here/);
    await listen(world.identity.foreign);
    await problemIs(/certificate is not one to trust/);
    expect(asked).toBe(0);
    const { destinationId } = await world.one();
    await world.area().configure.remove(admin, destinationId);
    // The same machine on a port that nobody listed.
    await world.add(url(world.ports[2]));
    await problemIs(/not public/);
    expect((await world.one()).nextIndex).toBe(0);
  });

  it('that asks for patience is left alone for so long', async () => {
    await grow(1);
    await world.add(url());
    answer = (_request, response) => response.writeHead(429, { 'retry-after': '2' }).end();
    world.start();
    await problemIs(/It answered 429/);
    answer = take;
    const { tryAt, failingSince } = await world.one();
    expect((tryAt?.getTime() ?? 0) - (failingSince?.getTime() ?? 0)).toBeGreaterThan(1_000);
    await world.reaches(1);
    expect(asked).toBe(2);
  });

  it('that answers and is not heard is brought the same again, under the same id', async () => {
    await grow(3);
    await world.add(url());
    let first = true;
    answer = (request, response, body) => {
      if (!first) return take(request, response, body);
      first = false;
      taken.push({ headers: request.headers, body, indexes: [0, 1, 2] });
      request.socket.destroy();
    };
    world.start();
    await world.reaches(3);
    expect(taken.map(({ headers, indexes }) => [headers['webhook-id'], indexes.length])).toEqual([
      [taken[0]?.headers['webhook-id'], 3],
      [taken[0]?.headers['webhook-id'], 3],
    ]);
  });

  it('is not told of its own connections for ever: what only tells of deliveries waits for something else', async () => {
    const { destination } = await world.add(url());
    const { data: _data, ...echo } = { data: 0, type: 'agent.egress.ended' as const };
    await world.recordMany(
      { seq: 1 },
      { seq: 2, ...echo, causation: destination.destinationId, time: new Date().toISOString() },
    );
    await world.open().signCheckpoint('ws_a');
    world.start();
    await world.reaches(2);
    await world.recordMany({ seq: 3, ...echo, causation: destination.destinationId, time: new Date().toISOString() });
    await world.open().signCheckpoint('ws_a');
    await world.recordMany({ seq: 1, producer: 'identity', workspace: 'ws_b' });
    const before = taken.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect({ more: taken.length - before, at: (await world.one()).nextIndex }).toEqual({ more: 0, at: 2 });
    await world.recordMany({ seq: 4 });
    await world.open().signCheckpoint('ws_a');
    await world.reaches(4);
    expect(seen()).toEqual([0, 1, 2, 3]);
  });

  it('whose entry is gone stops there and says which', async () => {
    await grow(5);
    await world.add(url());
    await world.tamper('DELETE FROM entries WHERE "index" = 3');
    world.start();
    await problemIs(/Entry 3 of the trail is not there/);
    expect(taken).toEqual([]);
  });

  it('is what pruning waits for, and what pruning went past before there was one is not asked for', async () => {
    await grow(4);
    await world.add(url(), { paused: true });
    const { retention } = world.open();
    await world.tamper(`UPDATE entries SET recorded_at = recorded_at - interval '1 day'`);
    expect((await retention.pruneTo('ws_a', 60, [])).size).toBe(0);
    await world.area().configure.remove(admin, (await world.one()).destinationId);
    expect((await retention.pruneTo('ws_a', 60, [])).size).toBe(4);
  });
});
