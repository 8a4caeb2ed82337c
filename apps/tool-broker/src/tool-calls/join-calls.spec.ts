import { describe, expect, it } from '@jest/globals';
import { createJoinCalls } from './join-calls.ts';

const never = new AbortController().signal;

describe('a request that arrives twice while it is worked on', () => {
  it('is worked on once, and both are answered', async () => {
    const join = createJoinCalls<number>();
    let begun = 0;
    const work = async (): Promise<number> => ++begun;
    expect(await Promise.all([join('a', never, work), join('a', never, work), join('b', never, work)])).toEqual([
      1, 1, 2,
    ]);
    expect(await join('a', never, work)).toBe(3);
  });

  it('is gone when both its connections are', async () => {
    const join = createJoinCalls<string>();
    const [first, second] = [new AbortController(), new AbortController()];
    let seen: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<string> => {
      seen = signal;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended')));
    };
    const answers = [join('a', first.signal, work), join('a', second.signal, work)];
    first.abort();
    expect(seen?.aborted).toBe(false);
    second.abort();
    expect(await Promise.all(answers)).toEqual(['ended', 'ended']);
  });
});
