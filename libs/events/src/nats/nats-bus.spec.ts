/** How long trouble lasts on a real NATS: a killed consumer, a restarted server, a right that is missing. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startTestNats, type TestNats, waitUntil } from '@bravo/testing';
import type { Bus, ConsumeOptions } from '../bus.port.ts';
import { connectNatsBus } from './nats-bus.ts';
import { NATS_PERMISSIONS } from './permissions.ts';

let nats: TestNats;
let buses: Bus[] = [];

beforeAll(async () => {
  nats = await startTestNats([{ name: 'gateway', password: 'secret', ...NATS_PERMISSIONS.gateway }]);
});
afterAll(() => nats.stop());

const open = async (user = nats.user, password = nats.password): Promise<Bus> => {
  const bus = await connectNatsBus({ url: nats.url, user, password, name: 'spec' });
  buses.push(bus);
  return bus;
};
const manage = async () => {
  const connection = await connect({ servers: nats.url, user: nats.user, pass: nats.password });
  return { connection, manager: await jetstreamManager(connection) };
};
const took = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

beforeEach(async () => {
  const { connection, manager } = await manage();
  for (const name of ['EVENTS', 'WORK', 'TURNS']) await manager.streams.delete(name).catch(() => undefined);
  await connection.close();
});
afterEach(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  buses = [];
});

const listen = (bus: Bus, more: Pick<ConsumeOptions, 'handle'> & Partial<ConsumeOptions>) =>
  bus.consume({ stream: 'EVENTS', durable: 'spec', from: 'first', onError: () => undefined, ...more });

describe('a consumer', () => {
  it('that is killed with a message in hand holds it up for seconds only, and a slow one keeps it', async () => {
    const [writer, killed, slow, next] = [await open(), await open(), await open(), await open()];
    await writer.ensureStreams(['EVENTS', 'WORK']);
    let letGo: (() => void) | undefined;
    listen(killed, { handle: () => new Promise((resolve) => (letGo = resolve)) });
    const kept: number[] = [];
    const handleSlowly = async ({ deliveries }: { deliveries: number }) => {
      kept.push(deliveries);
      await new Promise((resolve) => setTimeout(resolve, 7_000));
    };
    const [first, second] = [slow, next].map((bus) => listen(bus, { stream: 'WORK', handle: handleSlowly }));
    await writer.publish('WORK', 'work.turn', 'slow', 'w1');
    await writer.publish('EVENTS', 'agent.x.ws_1', 'one', 'e1');
    await waitUntil('the message to be in hand', async () => letGo !== undefined);
    await killed.close();
    const got: number[] = [];
    const third = listen(next, { handle: async ({ deliveries }) => void got.push(deliveries) });
    const waited = await took(() => waitUntil('the next consumer to get it', async () => got.length > 0));
    expect(waited).toBeLessThan(6_500);
    expect(got).toEqual([2]);
    letGo?.();
    await Promise.all([first?.stop(), second?.stop(), third.stop()]);
    expect(kept).toEqual([1]);
  }, 30_000);

  it('that an earlier version made keeps its place and takes the new times', async () => {
    const bus = await open();
    await bus.ensureStreams(['EVENTS']);
    const { connection, manager } = await manage();
    await manager.consumers.add('EVENTS', { durable_name: 'spec', ack_policy: 'explicit', ack_wait: 30e9 });
    const got: string[] = [];
    const consumption = listen(bus, { handle: async ({ body }) => void got.push(body) });
    await bus.publish('EVENTS', 'agent.x.ws_1', 'one', 'e2');
    await waitUntil('the message', async () => got.length === 1);
    expect((await manager.consumers.info('EVENTS', 'spec')).config.ack_wait).toBe(5e9);
    await consumption.stop();
    await connection.close();
  }, 20_000);

  it('begins where it says', async () => {
    const bus = await open();
    await bus.ensureStreams(['EVENTS']);
    await bus.publish('EVENTS', 'agent.x.ws_1', 'before', 'e3');
    const got: string[] = [];
    const consumptions = (['first', 'new'] as const).map((from) =>
      listen(bus, { from, durable: from, handle: async ({ body }) => void got.push(`${from}: ${body}`) }),
    );
    const { connection, manager } = await manage();
    await waitUntil('both to listen', async () =>
      manager.consumers.info('EVENTS', 'new').then(
        () => got.length === 1,
        () => false,
      ),
    );
    await bus.publish('EVENTS', 'agent.x.ws_1', 'after', 'e4');
    await waitUntil('three messages', async () => got.length === 3);
    expect(got.toSorted()).toEqual(['first: after', 'first: before', 'new: after']);
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
    await connection.close();
  }, 20_000);
});

describe('a publish', () => {
  it('is stalled by a restart of the server for a moment only, and stored once', async () => {
    const bus = await open();
    await bus.ensureStreams(['TURNS']);
    let longest = 0;
    let restarted = false;
    const restart = nats.restart().then(() => (restarted = true));
    let count = 0;
    for (let after = 0; after < 20; count += 1) {
      longest = Math.max(longest, await took(() => bus.publish('TURNS', 'turn.ws_1.cnv_1', `${count}`, `t${count}`)));
      if (restarted) after += 1;
    }
    await restart;
    expect(longest).toBeLessThan(3_000);
    expect((await bus.bounds('TURNS')).last).toBe(count);
  }, 30_000);

  it('that is not allowed is refused at once', async () => {
    const bus = await open('gateway', 'secret');
    const waited = await took(() => expect(bus.publish('TURNS', 'turn.ws_1.cnv_1', '{}', 'f1')).rejects.toThrow());
    expect(waited).toBeLessThan(2_000);
  }, 20_000);
});
