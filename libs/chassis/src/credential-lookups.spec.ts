import { describe, expect, it } from '@jest/globals';
import { Fault } from '@bravo/faults';
import { createCredentialLookups } from './credential-lookups.ts';

const setUp = (options: { burst?: number; maxEntries?: number } = {}) => {
  const clock = { now: 0 };
  let questions = 0;
  const lookups = createCredentialLookups({ refusedMs: 1_000, burst: 3, perSecond: 1, now: () => clock.now, ...options });
  const show = (key: string, answer: 'good' | 'unauthenticated' | 'unavailable' = 'unauthenticated') =>
    lookups
      .look(key, () => {
        questions += 1;
        return answer === 'good' ? Promise.resolve(answer) : Promise.reject(new Fault(answer, 'no'));
      })
      .catch((error: unknown) => (error as Fault).code);
  return { clock, show, asked: () => questions };
};

describe('a flood of credentials nobody knows [hostile.unknown-tokens]', () => {
  it('is answered from memory where it is one and the same, and asked about again after a while', async () => {
    const { clock, show, asked } = setUp();
    for (let time = 0; time < 1_000; time += 1) expect(await show('a')).toBe('unauthenticated');
    expect(asked()).toBe(1);
    clock.now = 1_000;
    expect(await show('a', 'good')).toBe('good');
  });

  it('is asked about no faster than the rate where each is another one', async () => {
    const { clock, show, asked } = setUp();
    const got = [];
    for (let number = 0; number < 1_000; number += 1) got.push(await show(`k${number}`));
    expect(asked()).toBe(3);
    expect(got.slice(3)).toEqual(Array.from({ length: 997 }, () => 'resource_exhausted'));
    clock.now = 2_000;
    for (let number = 0; number < 10; number += 1) await show(`later${number}`);
    expect(asked()).toBe(5);
  });

  it('counts those that are asked about at the same time', async () => {
    const { show, asked } = setUp();
    await Promise.all(Array.from({ length: 50 }, (_, number) => show(`k${number}`)));
    expect(asked()).toBe(3);
  });

  it('keeps nobody waiting who was good before, and costs a good one nothing', async () => {
    const { show, asked } = setUp();
    for (let number = 0; number < 20; number += 1) expect(await show(`good${number}`, 'good')).toBe('good');
    for (let number = 0; number < 20; number += 1) await show(`bad${number}`);
    expect(await show('good7', 'good')).toBe('good');
    expect(await show('new', 'good')).toBe('resource_exhausted');
    expect(asked()).toBe(24);
  });

  it('takes a failure of ours for no refusal', async () => {
    const { show, asked } = setUp({ burst: 1 });
    for (let time = 0; time < 5; time += 1) expect(await show('a', 'unavailable')).toBe('unavailable');
    expect(await show('a', 'good')).toBe('good');
    expect(asked()).toBe(6);
  });

  it('is forgotten oldest first, so that memory is bounded', async () => {
    const { show, asked } = setUp({ burst: 100, maxEntries: 2 });
    for (const key of ['a', 'b', 'c']) await show(key);
    await show('c');
    expect(asked()).toBe(3);
    await show('a');
    expect(asked()).toBe(4);
  });

  it('refuses one that was good and is so no more, from then on', async () => {
    const { show, asked } = setUp();
    expect(await show('a', 'good')).toBe('good');
    for (let time = 0; time < 10; time += 1) expect(await show('a')).toBe('unauthenticated');
    expect(asked()).toBe(2);
  });
});
