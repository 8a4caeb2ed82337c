import { waitUntil } from '@bravo/testing';
import { startTrailGate } from './trail-gate.ts';

describe('the gate before the trail', () => {
  it('closes when events stay behind or cannot be counted, and opens by itself [trail.gate]', async () => {
    let lag: number | undefined = 0;
    const changes: boolean[] = [];
    const gate = startTrailGate({
      lagSeconds: async () => {
        if (lag === undefined) throw new Error('no database');
        return lag;
      },
      limitSeconds: 30,
      onChange: (open) => changes.push(open),
      everyMs: 5,
    });
    expect(() => gate.requireOpen()).not.toThrow();
    for (const bad of [31, undefined]) {
      lag = bad;
      await waitUntil('it to close', () => changes.at(-1) === false);
      expect(() => gate.requireOpen()).toThrow(/cannot be reached just now/);
      lag = 30;
      await waitUntil('it to open', () => changes.at(-1) === true);
      expect(() => gate.requireOpen()).not.toThrow();
    }
    expect(changes).toEqual([false, true, false, true]);
    gate.stop();
  });
});
