/** Shared reading gives each listener what a reader of its own would, whenever and from wherever it joins. */
import { describe, expect, it } from '@jest/globals';
import type { TurnEvent } from '@bravo/events';
import { shareTurnLog } from './share-turn-log.ts';
import type { PositionedEvent, TurnLog } from './turn-log.ts';

/** A stream in memory that tells how often it is read; `lose` begins it anew and leaves its readers in silence, as the bus does. */
const createLog = () => {
  let generation = 'g1';
  let events: PositionedEvent[] = [];
  const waiting: (() => void)[] = [];
  const open = new Set<AbortSignal>();
  let readers = 0;
  let broken: Error | undefined;
  const wake = (): void => waiting.splice(0).forEach((go) => go());
  const log: TurnLog = {
    bounds: () => Promise.resolve({ first: 1, last: events.length, ownLast: events.length, generation }),
    generation: () => Promise.resolve(generation),
    read: async function* (_workspace, _conversation, after, signal) {
      readers += 1;
      open.add(signal);
      signal.addEventListener('abort', wake);
      const mine = events;
      try {
        for (let at = after; !signal.aborted;) {
          if (broken) throw broken;
          const event = mine[at];
          if (event === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
          else {
            at += 1;
            yield event;
          }
        }
      } finally {
        open.delete(signal);
      }
    },
  };
  return {
    log,
    say: (count = 1) => {
      for (let n = 0; n < count; n += 1) {
        const event = { event: 'status', data: { state: 'running' } } as TurnEvent;
        events.push({ position: events.length + 1, generation, event });
      }
      wake();
    },
    lose: () => {
      generation = 'g2';
      events = [];
    },
    breakWith: (error: Error) => {
      broken = error;
      wake();
    },
    readers: () => readers,
    reading: () => open.size,
  };
};

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

const listen = (log: TurnLog, after: number, stopAfter = Infinity) => {
  const gone = new AbortController();
  const heard: number[] = [];
  let ended: unknown = false;
  const done = (async () => {
    for await (const { position } of log.read('ws_1', 'cnv_1', after, gone.signal)) {
      heard.push(position);
      if (heard.length === stopAfter) break;
    }
    ended = 'ended';
  })().catch((error: unknown) => void (ended = error));
  return { heard, leave: () => gone.abort(), ended: () => ended, done };
};

describe('listeners of one conversation', () => {
  it('share one reader, and each hears every event after its position once and in order', async () => {
    const source = createLog();
    source.say(3);
    const log = shareTurnLog(source.log);
    const first = listen(log, 1);
    await settle();
    const [joined, ahead] = [listen(log, 2), listen(log, 4)];
    await settle();
    source.say(3);
    await settle();
    expect([first.heard, joined.heard, ahead.heard]).toEqual([
      [2, 3, 4, 5, 6],
      [3, 4, 5, 6],
      [5, 6],
    ]);
    expect(source.readers()).toBe(1);
  });

  it('that ask for what the shared reader does not have get a reader of their own', async () => {
    const source = createLog();
    source.say(3);
    const log = shareTurnLog(source.log);
    const first = listen(log, 3);
    await settle();
    const older = listen(log, 0);
    await settle();
    source.say();
    await settle();
    expect([first.heard, older.heard]).toEqual([[4], [1, 2, 3, 4]]);
    expect(source.readers()).toBe(2);
  });

  it('miss nothing when they join after more than is kept', async () => {
    const source = createLog();
    const log = shareTurnLog(source.log);
    const first = listen(log, 0);
    await settle();
    source.say(600);
    await settle();
    const late = listen(log, 10);
    const near = listen(log, 500);
    await settle();
    expect([first.heard.length, late.heard.length, late.heard[0], near.heard[0], near.heard.length]).toEqual([
      600, 590, 11, 501, 100,
    ]);
    expect(source.readers()).toBe(2);
  });

  it('leave one by one, and the reader ends with the last', async () => {
    const source = createLog();
    const log = shareTurnLog(source.log);
    const [one, two, three] = [listen(log, 0), listen(log, 0, 1), listen(log, 0)];
    await settle();
    one.leave();
    source.say();
    await settle();
    expect([one.heard, two.heard, three.heard, source.reading()]).toEqual([[], [1], [1], 1]);
    three.leave();
    await settle();
    expect([one.ended(), two.ended(), three.ended(), source.reading()]).toEqual(['ended', 'ended', 'ended', 0]);
    const next = listen(log, 0);
    await settle();
    expect([next.heard, source.readers()]).toEqual([[1], 2]);
  });

  it('of a stream that was lost end once somebody hears of the new one, and nobody joins them', async () => {
    const source = createLog();
    source.say(2);
    const log = shareTurnLog(source.log);
    const old = listen(log, 0);
    await settle();
    source.lose();
    source.say(5);
    const fresh = listen(log, 3);
    await settle();
    expect([old.heard, old.ended(), fresh.heard]).toEqual([[1, 2], 'ended', [4, 5]]);
  });

  it('hear what broke the reader', async () => {
    const source = createLog();
    const log = shareTurnLog(source.log);
    const listeners = [listen(log, 0), listen(log, 0)];
    await settle();
    source.breakWith(new Error('the bus is gone'));
    await settle();
    for (const { ended } of listeners) expect(ended()).toEqual(new Error('the bus is gone'));
  });

  it('do not hold the others up: who leaves too much unread is ended', async () => {
    const source = createLog();
    const log = shareTurnLog(source.log);
    const gone = new AbortController();
    const slow = log.read('ws_1', 'cnv_1', 0, gone.signal)[Symbol.asyncIterator]();
    const first = slow.next();
    const quick = listen(log, 0);
    await settle();
    source.say(3_000);
    await settle();
    expect((await first).value?.position).toBe(1);
    expect(quick.heard.length).toBe(3_000);
    let taken = 1;
    for (let next = await slow.next(); !next.done; next = await slow.next()) taken += 1;
    expect(taken).toBeGreaterThan(1_000);
    expect(taken).toBeLessThan(3_000);
  });
});
