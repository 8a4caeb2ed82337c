import { createCallRate } from './call-rate.ts';

describe('the calls of one conversation', () => {
  it('are bounded at once and in a minute, and not by those of another', () => {
    let clock = 0;
    const rate = createCallRate({ open: 2, perMinute: 4, now: () => clock });
    const [first] = [rate.enter('a'), rate.enter('a')];
    expect(() => rate.enter('a')).toThrow(/2 model calls open/);
    rate.enter('b');
    first();
    first();
    const third = rate.enter('a');
    expect(() => rate.enter('a')).toThrow(/open/);
    third();
    rate.enter('a')();
    expect(() => rate.enter('a')).toThrow(/more than 4 model calls in a minute. Try again in 15 s/);
    clock = 15_000;
    rate.enter('a')();
    expect(() => rate.enter('a')).toThrow(/in a minute/);
  });
});
