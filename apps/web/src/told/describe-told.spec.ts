/** An estimate is marked, and a part that is not told says why. */
import { describe, expect, it } from '@jest/globals';
import { fillOf, partState, sourceName } from './describe-told.ts';

const context = {
  ...{ model: 'a/b', label: 'B', window_tokens: 2_000, window_assumed: false, budget_tokens: 1_500 },
  ...{ setting: 'x', last_tokens: 750, last_measured: true },
};

describe('how full the context is', () => {
  it('is a count where the provider counted, and about so much where nobody did', () => {
    expect(fillOf(context)).toEqual({ percent: 50, sentence: 'The last prompt was 750 tokens; B takes 1,500.' });
    expect(fillOf({ ...context, last_measured: false }).sentence).toContain('was about 750 tokens');
    expect(fillOf({ ...context, window_assumed: true }).sentence).toContain('assumed, because nobody stated it (x)');
    expect(fillOf({ ...context, last_tokens: 0 }).sentence).toBe('Nothing was asked yet; B takes 1,500.');
    expect(fillOf({ ...context, budget_tokens: 0 }).percent).toBe(0);
    expect(fillOf({ ...context, last_tokens: 9_000 }).percent).toBe(100);
  });
});

describe('a part', () => {
  it('that is not told says why, and an unheard source is named as it is', () => {
    const part = { source: 'AGENTS.md', bytes: 12, digest: '', told: false, note: 'nobody vouched for it' };
    expect(partState(part)).toBe('not told: nobody vouched for it (12 bytes)');
    expect(partState({ ...part, told: true, note: '' })).toBe('12 bytes');
    expect([sourceName('AGENTS.md'), sourceName('new')]).toEqual(['AGENTS.md among the files', 'new']);
  });
});
