/** Leases by this process's own clock: lost when the database says so, and when it says nothing. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLeaseKeeper, type LeaseKeeper } from './keep-leases.ts';

let keeper: LeaseKeeper;
afterEach(() => keeper.stop());
const keep = (renew: (ids: readonly string[]) => Promise<string[]>) => {
  const lost: string[] = [];
  const released: string[] = [];
  keeper = createLeaseKeeper({
    leases: { renew, release: async (id) => void released.push(id), releaseOf: async () => undefined },
    leaseSeconds: 0.4,
    onLost: (id) => lost.push(id),
    onError: () => undefined,
  });
  return { lost, released };
};

describe('a lease', () => {
  it('is kept as long as it is renewed', async () => {
    const { lost } = keep(async (ids) => [...ids]);
    keeper.hold('a', performance.now());
    await sleep(900);
    expect([keeper.isHeld('a'), lost]).toEqual([true, []]);
  });

  it('is lost once when the database gives it to another', async () => {
    const { lost } = keep(async (ids) => ids.filter((id) => id !== 'a'));
    keeper.hold('a', performance.now());
    keeper.hold('b', performance.now());
    await sleep(300);
    expect([keeper.isHeld('a'), keeper.isHeld('b'), lost]).toEqual([false, true, ['a']]);
  });

  it.each([
    ['hangs', () => new Promise<string[]>((resolve) => setTimeout(resolve, 1_500, []))],
    ['fails', () => Promise.reject(new Error('away'))],
  ])('is over before the database could give it away when that %s', async (_what, renew) => {
    const { lost } = keep(renew);
    const askedAt = performance.now();
    keeper.hold('a', askedAt);
    while (lost.length === 0) await sleep(5);
    expect(performance.now() - askedAt).toBeLessThan(400);
    expect(keeper.isHeld('a')).toBe(false);
  });

  it('is given back when let go of, and only then', async () => {
    const { released, lost } = keep(async (ids) => [...ids]);
    keeper.hold('a', performance.now());
    await keeper.release('a');
    await keeper.release('b');
    expect([released, lost]).toEqual([['a'], []]);
  });
});
