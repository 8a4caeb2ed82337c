/** A loop is stopped, whoever wrote it, and nothing else is. */
import { describe, expect, it } from '@jest/globals';
import { Endless, runWatched } from './mutation-watch.ts';

describe('a watched test', () => {
  it('is stopped where it never ends, and the next one runs', () => {
    const loop = (): void => {
      for (let count = 0; ; count += 1) if (count < 0) return;
    };
    expect(() => runWatched(loop, 100)).toThrow(Endless);
    expect(runWatched(() => 7, 100)).toBe(7);
  });

  it('hands on what it returns and throws', async () => {
    await expect(runWatched(async () => 'later', 100)).resolves.toBe('later');
    expect(() =>
      runWatched(() => {
        throw new Error('as it was');
      }, 100),
    ).toThrow('as it was');
  });
});
