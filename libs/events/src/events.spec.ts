/** The outbox and the bus on a real Postgres and a real NATS with the very permissions the services get. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNats, startTestPostgres, type TestNats, type TestPostgres, waitUntil } from '@bravo/testing';
import pg from 'pg';
import {
  type Bus,
  type BusMessage,
  createOutbox,
  type EventDraft,
  OUTBOX_TABLE,
  publishTurnEvent,
  type SqlDatabase,
  type SqlTransaction,
  startOutboxRelay,
  turnSubject,
} from './index.ts';
import { connectNatsBus } from './nats/nats-bus.ts';
import { NATS_PERMISSIONS } from './nats/permissions.ts';

let postgres: TestPostgres;
let nats: TestNats;
let pool: pg.Pool;
const buses: Bus[] = [];

const busOf = async (user: keyof typeof NATS_PERMISSIONS): Promise<Bus> => {
  const bus = await connectNatsBus({ url: nats.url, user, password: `secret-${user}`, name: user });
  buses.push(bus);
  return bus;
};

const sql = (client: Pick<pg.Pool, 'query'>): SqlTransaction => ({
  $executeRawUnsafe: async (query, ...values) => (await client.query(query, values)).rowCount ?? 0,
  $queryRawUnsafe: async <T>(query: string, ...values: unknown[]) => (await client.query(query, values)).rows as T,
});

const database = (): SqlDatabase => ({
  ...sql(pool),
  async $transaction(work) {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(sql(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  },
});

const outbox = createOutbox({
  schema: 'broker',
  producer: 'broker',
  traceparent: () => '00-' + 'a'.repeat(32) + '-' + 'b'.repeat(16) + '-01',
});
const ended = (reason: string): EventDraft<'agent.conversation.ended'> => ({
  type: 'agent.conversation.ended',
  workspace: 'ws_1',
  conversation: 'cnv_1',
  actor: 'user:usr_1',
  data: { reason },
});

beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = new pg.Pool({ connectionString: postgres.url('broker') });
  pool.on('error', () => undefined);
  await postgres.asOwner('broker', OUTBOX_TABLE);
  nats = await startTestNats(
    Object.entries(NATS_PERMISSIONS).map(([name, permissions]) => ({
      name,
      password: `secret-${name}`,
      ...permissions,
    })),
  );
});

afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await pool.end();
  await nats.stop();
  await postgres.stop();
});

describe('the outbox', () => {
  it('writes no event for a transaction that fails, and none that does not fit the catalogue [trail.complete]', async () => {
    await expect(
      database().$transaction(async (tx) => {
        await outbox.appendEvent(tx, ended('never'));
        throw new Error('the state did not come about');
      }),
    ).rejects.toThrow('did not come about');
    await expect(
      database().$transaction((tx) =>
        outbox.appendEvent(tx, { ...ended('x'), data: { reason: 'x', content: 'secret' } as never }),
      ),
    ).rejects.toThrow();
    expect((await pool.query('SELECT count(*)::int AS n FROM outbox')).rows).toEqual([{ n: 0 }]);
  });

  it('reaches a consumer in commit order, numbered without a hole, through a restart of the server [trail.complete]', async () => {
    const [producer, consumer] = [await busOf('broker'), await busOf('audit')];
    const got: { reason: string; producerseq: number }[] = [];
    const consumption = consumer.consume({
      stream: 'EVENTS',
      durable: 'audit',
      from: 'first',
      handle: async ({ body }: BusMessage) => {
        const event = JSON.parse(body) as { data: { reason: string }; producerseq: number };
        got.push({ reason: event.data.reason, producerseq: event.producerseq });
      },
      onError: () => undefined,
    });
    const relays = [1, 2].map(() =>
      startOutboxRelay({
        database: database(),
        schema: 'broker',
        bus: producer,
        logger: { warn: () => undefined },
        intervalMs: 50,
      }),
    );
    const append = (reason: string) => database().$transaction((tx) => outbox.appendEvent(tx, ended(reason)));
    for (let i = 1; i <= 30; i += 1) await append(`r${i}`);
    await waitUntil('thirty events', async () => got.length >= 30);
    await nats.restart();
    for (let i = 31; i <= 40; i += 1) await append(`r${i}`);
    await waitUntil('ten more after the restart', async () => got.length >= 40);
    expect(got).toEqual(Array.from({ length: 40 }, (_, i) => ({ reason: `r${i + 1}`, producerseq: i + 1 })));
    await Promise.all(relays.map((relay) => relay.stop()));
    await consumption.stop();
  }, 40_000);

  it('publishes again all that a lost stream may have held, in order, with nothing new to tell [trail.lost-stream]', async () => {
    const [producer, consumer] = [await busOf('broker'), await busOf('audit')];
    const relay = startOutboxRelay({
      database: database(),
      schema: 'broker',
      bus: producer,
      logger: { warn: () => undefined },
      intervalMs: 50,
    });
    const published = async () =>
      Number((await pool.query('SELECT count(*) AS n FROM outbox WHERE published_at IS NOT NULL')).rows[0]?.n);
    await database().$transaction((tx) => outbox.appendEvent(tx, ended('before')));
    await waitUntil('it to be published', async () => (await published()) === 41);
    await nats.lose();
    const got: number[] = [];
    const consumption = consumer.consumeBatches({
      stream: 'EVENTS',
      durable: 'audit-of-the-new-stream',
      from: 'first',
      size: 7,
      handle: async (messages) => {
        // Once it fails in the middle: the same batch comes again, and nothing behind it before.
        if (got.length > 10 && got.length < 20 && Math.random() < 0.5) throw new Error('not now');
        for (const { body } of messages) got.push((JSON.parse(body) as { producerseq: number }).producerseq);
      },
      onError: () => undefined,
    });
    await waitUntil('all of them', async () => got.length >= 41, { timeoutMs: 25_000 });
    expect(got).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
    await relay.stop();
    await consumption.stop();
  }, 40_000);
});

describe('the turn stream', () => {
  it('gives a reader what it missed and what comes, of its own conversation only', async () => {
    const [writer, reader] = [await busOf('orchestrator'), await busOf('gateway')];
    await writer.ensureStreams(['TURNS']);
    const send = (conversation: string, n: number) =>
      publishTurnEvent(
        writer,
        'ws_1',
        conversation,
        { event: 'content_delta', data: { delta: `${n}`, offset: n } },
        `${conversation}:${n}`,
      );
    const first = await send('cnv_a', 1);
    await send('cnv_b', 1);
    await send('cnv_a', 2);
    expect(await send('cnv_a', 2)).toBe(await reader.lastSequence('TURNS', turnSubject('ws_1', 'cnv_a')));
    expect(await reader.lastSequence('TURNS', turnSubject('ws_1', 'cnv_none'))).toBe(0);
    const abort = new AbortController();
    const got: string[] = [];
    const reading = (async () => {
      for await (const { body } of reader.read('TURNS', turnSubject('ws_1', 'cnv_a'), first, abort.signal)) {
        got.push(JSON.parse(body).data.delta);
        if (got.length === 3) abort.abort();
      }
    })();
    await waitUntil('the missed one', async () => got.length === 1);
    await send('cnv_a', 3);
    await send('cnv_a', 4);
    await reading;
    expect(got).toEqual(['2', '3', '4']);
  });

  it('is never given an event that does not fit the catalogue [turn.catalogue]', async () => {
    const writer = await busOf('orchestrator');
    const subject = turnSubject('ws_1', 'cnv_odd');
    for (const data of [{}, { state: 'sleeping' }, { state: 'running', secret: 'x' }])
      await expect(publishTurnEvent(writer, 'ws_1', 'cnv_odd', { event: 'status', data }, 'odd')).rejects.toThrow();
    expect(await writer.lastSequence('TURNS', subject)).toBe(0);
    await publishTurnEvent(writer, 'ws_1', 'cnv_odd', { event: 'status', data: { state: 'running' } }, 'even');
    expect(await writer.lastSequence('TURNS', subject)).toBeGreaterThan(0);
  });

  it('cannot be written by a service that only reads it', async () => {
    const reader = await busOf('gateway');
    await expect(reader.publish('TURNS', turnSubject('ws_1', 'cnv_a'), '{}', 'forged')).rejects.toThrow();
  }, 20_000);
});
