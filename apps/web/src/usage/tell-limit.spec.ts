import { describe, expect, it } from '@jest/globals';
import { tellCredits, tellLimit } from './tell-limit.ts';

const limit = (name: string, used: number, bound: number) => ({ name, used, limit: bound, reserved: 0, resets_at: '' });
const credits = {
  ...{ plan: 'team', unlimited: false, plan_granted: 1_000, plan_used: 1_200, trial_granted: 100, trial_used: 0 },
  ...{ purchased_granted: 0, purchased_used: 0, resets_at: '' },
};

describe('what may still be used', () => {
  it('is said in tokens or money', () => {
    expect(tellLimit(limit('personDailyTokens', 500, 2_000))).toEqual({
      name: 'Your tokens today',
      text: '500 of 2,000',
      share: 0.25,
    });
    expect(tellLimit(limit('workspaceMonthlyCents', 1_500_000, 1_000_000))).toMatchObject({
      text: '$1.50 of $1.00',
      share: 1,
    });
  });

  it('never says less than nothing is left', () => {
    expect(tellCredits(credits)).toMatchObject({ text: '0 of 1,100 left', share: 1 });
    expect(tellCredits({ ...credits, unlimited: true })).toMatchObject({
      text: '1,200 used, without a limit',
      share: 0,
    });
  });
});
