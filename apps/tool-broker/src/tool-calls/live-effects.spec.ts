import { describe, expect, it } from '@jest/globals';
import { createLiveEffects } from './live-effects.ts';

const effect = { toolCallId: 'tc_1', approvalId: 'apr_1' };
const settled = () => new Promise((resolve) => setImmediate(resolve));

const begin = (elsewhere: () => Promise<boolean> = async () => false) => {
  const stopping = new AbortController();
  const live = createLiveEffects({ isAwaitedElsewhere: elsewhere, stopping: stopping.signal });
  let signal: AbortSignal | undefined;
  let finish: () => void = () => undefined;
  const ran = live.run(effect, (given) => {
    signal = given;
    return new Promise<void>((resolve) => (finish = resolve));
  });
  return { live, stopping, ran, finish: () => finish(), isEnded: () => signal!.aborted };
};

describe('a running effect', () => {
  it('ends with the last of those who wait for it, and not before [effect.last-caller]', async () => {
    const { live, isEnded } = begin();
    const callers = Array.from({ length: 3 }, () => new AbortController());
    for (const caller of callers) live.attend(effect, caller.signal);
    callers[0]!.abort();
    callers[1]!.abort();
    await settled();
    expect(isEnded()).toBe(false);
    callers[2]!.abort();
    await settled();
    expect(isEnded()).toBe(true);
  });

  it('goes on when its caller was answered, also with "come back"', async () => {
    const { live, isEnded } = begin();
    const caller = new AbortController();
    expect(live.attend(effect, caller.signal).leave()).toBe(true);
    caller.abort();
    await settled();
    expect(isEnded()).toBe(false);
  });

  it('ends at once when its caller was gone before it began', async () => {
    const { live, isEnded } = begin();
    live.attend(effect, AbortSignal.abort());
    await settled();
    expect(isEnded()).toBe(true);
  });

  it.each([
    ['somebody waits in another process', async () => true],
    ['that cannot be found out', () => Promise.reject(new Error('no database'))],
  ])('goes on when %s', async (_, elsewhere) => {
    const { live, isEnded } = begin(elsewhere);
    live.attend(effect, AbortSignal.abort());
    await settled();
    expect(isEnded()).toBe(false);
  });

  it('is left to the next process when this one ends', async () => {
    const { live, stopping, isEnded } = begin();
    stopping.abort();
    live.attend(effect, AbortSignal.abort());
    await settled();
    expect(isEnded()).toBe(false);
  });

  it('is forgotten once it has ended', async () => {
    const { live, ran, finish, isEnded } = begin();
    finish();
    await ran;
    live.attend(effect, AbortSignal.abort());
    await settled();
    expect(isEnded()).toBe(false);
  });
});
