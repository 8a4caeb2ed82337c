import { describe, expect, it } from '@jest/globals';
import { createCallLimits } from './limit-calls.ts';

const forever = new AbortController().signal;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('requests of one agent [hostile.flood]', () => {
  it('are refused above the burst with the time to wait, and come back as time passes', () => {
    let clock = 0;
    const { take } = createCallLimits({ burst: 3, perSecond: 0.5, now: () => clock });
    expect([take('a'), take('a'), take('a')]).toEqual([undefined, undefined, undefined]);
    expect(take('a')).toBe(2);
    clock += 1_900;
    expect(take('a')).toBe(1);
    clock += 200;
    expect(take('a')).toBeUndefined();
    expect(take('a')).toBe(2);
    clock += 3_600_000;
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([undefined, undefined, undefined, 2]);
  });

  it('are bounded where nobody says how: two thousand at once, then twenty a second', () => {
    let now = 0;
    const limits = createCallLimits({ now: () => now });
    const let_in = (): number =>
      Array.from({ length: 3_000 }, () => limits.take('tok_a')).filter((wait) => wait === undefined).length;
    expect(let_in()).toBe(2_000);
    now = 10_000;
    expect(let_in()).toBe(200);
  });

  it('are counted one by one where one message carries several', () => {
    const { take } = createCallLimits({ burst: 10, perSecond: 1, now: () => 0 });
    expect([take('a', 11), take('a', 9), take('a', 2), take('a')]).toEqual([1, undefined, 1, undefined]);
  });

  it('take nothing from another agent, and a clock set back gives nothing', () => {
    let clock = 10_000;
    const { take } = createCallLimits({ burst: 1, perSecond: 1, now: () => clock });
    expect([take('a'), take('b')]).toEqual([undefined, undefined]);
    clock = 0;
    expect(take('a')).toBe(1);
  });
});

describe('calls of one agent', () => {
  it('are worked on a few at a time, each place going to who waited longest', async () => {
    const { enter } = createCallLimits({ atWork: 2 });
    const [first, second] = [await enter('a', forever), await enter('a', forever)];
    const order: string[] = [];
    const third = enter('a', forever).then((place) => (order.push('third'), place));
    const fourth = enter('a', forever).then((place) => (order.push('fourth'), place));
    await enter('b', forever);
    await settled();
    expect(order).toEqual([]);
    first.judged();
    first.judged();
    await settled();
    expect(order).toEqual(['third']);
    first.leave();
    await settled();
    expect(order).toEqual(['third']);
    second.leave();
    (await third).leave();
    (await fourth).leave();
    await enter('a', forever);
    await enter('a', forever);
  });

  it('that are not answered yet are counted, the waiting and the judged too', async () => {
    const { enter } = createCallLimits({ atWork: 1, open: 2 });
    const held = await enter('a', forever);
    held.judged();
    const other = await enter('a', forever);
    await expect(enter('a', forever)).rejects.toMatchObject({ code: 'resource_exhausted' });
    held.leave();
    other.leave();
    (await enter('a', forever)).leave();
  });

  it('whose caller goes away give their turn up', async () => {
    const { enter } = createCallLimits({ atWork: 1, open: 3 });
    const held = await enter('a', forever);
    const gone = new AbortController();
    const waiting = enter('a', gone.signal);
    const next = enter('a', forever);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'turn_cancelled' });
    await expect(enter('a', AbortSignal.abort())).rejects.toMatchObject({ code: 'turn_cancelled' });
    held.leave();
    (await next).leave();
  });
});
