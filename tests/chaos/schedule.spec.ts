import { describe, expect, it } from '@jest/globals';
import { planRounds, REQUESTS, SERVERS, SERVICES, STEPS } from './schedule.ts';

describe('a schedule of kills', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planRounds(58, 40, 3)).toEqual(planRounds(58, 40, 3));
    expect(planRounds(58, 40, 3)).not.toEqual(planRounds(59, 40, 3));
  });

  it('begins alike however long it is, so that a short run replays the start of a long one', () => {
    expect(planRounds(58, 40, 3).slice(0, 6)).toEqual(planRounds(58, 6, 3));
  });

  it('hits every kind of process before one is hit again, at every step and under every request', () => {
    const rounds = planRounds(7, 280, 3);
    for (let begin = 0; begin < 280; begin += 14) {
      expect(new Set(rounds.slice(begin, begin + 14).map(({ target }) => target)).size).toBe(14);
    }
    const kinds = [...SERVICES, ...SERVERS, 'pod', 'runtime', 'execution'];
    expect(new Set(rounds.map(({ target }) => target))).toEqual(new Set(kinds));
    expect(new Set(rounds.map(({ step }) => step))).toEqual(new Set(STEPS));
    expect(new Set(rounds.flatMap(({ requests }) => requests))).toEqual(new Set(REQUESTS));
  });

  it('waits for no step that the request cannot reach', () => {
    for (const { step, victim, requests } of planRounds(3, 240, 3)) {
      const request = requests[victim] ?? '';
      if (step === 'executing') expect(request).toMatch(/^run, (let read|approved)$/);
      if (step !== 'posted') expect(request).not.toBe('list');
    }
  });
});
