import { describe, expect, it } from '@jest/globals';
import { startRounds } from './start-rounds.ts';

const soon = (ms = 40) => new Promise((resolve) => setTimeout(resolve, ms));

describe('startRounds', () => {
  it('runs each again and again, never two of one kind at once', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const rounds = startRounds(
      () => undefined,
      [
        {
          name: 'slow',
          everyMs: 1,
          run: async () => {
            most = Math.max(most, (running += 1));
            await soon(5);
            running -= 1;
            runs += 1;
          },
        },
      ],
    );
    await soon(80);
    await rounds.stop();
    expect({ most, running }).toEqual({ most: 1, running: 0 });
    expect(runs).toBeGreaterThan(2);
  });

  it('says a failure once, goes on, and says the next one after it was well again', async () => {
    const said: unknown[] = [];
    let run = 0;
    const rounds = startRounds(
      (message, about) => said.push([message, about['round']]),
      [
        {
          name: 'sick',
          everyMs: 1,
          run: () => ((run += 1) % 3 === 0 ? Promise.resolve() : Promise.reject(new Error('no'))),
        },
      ],
    );
    while (run < 7) await soon(5);
    await rounds.stop();
    expect(said.length).toBeLessThanOrEqual(Math.ceil(run / 3) + 1);
    expect(said[0]).toEqual(['a background round failed; it runs again', 'sick']);
  });

  it('stops at once where it only waits, and does not begin again', async () => {
    let runs = 0;
    const rounds = startRounds(() => undefined, [{ name: 'rare', everyMs: 60_000, run: async () => void (runs += 1) }]);
    await soon(5);
    await rounds.stop();
    expect(runs).toBe(1);
  });
});
