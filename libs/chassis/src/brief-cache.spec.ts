import { describe, expect, it } from '@jest/globals';
import { BriefCache } from './brief-cache.ts';

const setUp = (maxEntries = 3) => {
  const clock = { now: 0 };
  let loads = 0;
  const cache = new BriefCache<number>({ ttlMs: 1000, now: () => clock.now, maxEntries });
  const load = () => Promise.resolve((loads += 1));
  return { clock, cache, load };
};

describe('BriefCache', () => {
  it('answers from memory within its time and asks again after it', async () => {
    const { clock, cache, load } = setUp();
    expect([await cache.get('a', load), await cache.get('a', load)]).toEqual([1, 1]);
    clock.now = 1000;
    expect(await cache.get('a', load)).toBe(2);
  });

  it('asks once for all who ask at the same time, and counts from the question', async () => {
    const { clock, cache, load } = setUp();
    let answer: (value: number) => void = () => undefined;
    const both = [1, 2].map(() => cache.get('a', () => new Promise<number>((resolve) => (answer = resolve))));
    clock.now = 999;
    answer(7);
    expect(await Promise.all(both)).toEqual([7, 7]);
    clock.now = 1000;
    expect(await cache.get('a', load)).toBe(1);
  });

  it('keeps nothing past its own end', async () => {
    const { clock, cache, load } = setUp();
    await cache.get('a', load, () => 10);
    clock.now = 10;
    expect(await cache.get('a', load)).toBe(2);
  });

  it('invalidates by prefix, and everything when asked', async () => {
    const { cache, load } = setUp();
    for (const key of ['u1/ws1', 'u1/ws2', 'u2/ws1']) await cache.get(key, load);
    cache.invalidate('u1/');
    expect(await cache.get('u2/ws1', load)).toBe(3);
    expect(await cache.get('u1/ws1', load)).toBe(4);
    cache.invalidate();
    expect(await cache.get('u2/ws1', load)).toBe(5);
  });

  it('forgets what fits and what is still on its way', async () => {
    const { cache, load } = setUp();
    await cache.get('a', load);
    cache.forget((value) => value === 9);
    expect(await cache.get('a', load)).toBe(1);
    cache.forget((value) => value === 1);
    expect(await cache.get('a', load)).toBe(2);
    let answer: (value: number) => void = () => undefined;
    const slow = cache.get('b', () => new Promise<number>((resolve) => (answer = resolve)));
    cache.forget(() => false);
    answer(7);
    expect(await slow).toBe(7);
    expect(await cache.get('b', load)).toBe(3);
  });

  it('never remembers a failure, and does not grow without end', async () => {
    const { cache, load } = setUp();
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('a', load)).toBe(1);
    for (const key of ['b', 'c', 'd']) await cache.get(key, load);
    expect(await cache.get('a', load)).toBe(5);
    expect(await cache.get('d', load)).toBe(4);
  });

  it('refuses to keep answers for longer than a revocation may take', () => {
    expect(() => new BriefCache({ ttlMs: 1_001 })).toThrow(/1000 ms/);
  });
});
