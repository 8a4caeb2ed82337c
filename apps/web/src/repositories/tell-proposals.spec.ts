/** Waiting rules and accepted ones are told apart in the heading. */
import { describe, expect, it } from '@jest/globals';
import { readRepositorySettings } from '../api/read-answers.ts';
import { tellProposals } from './tell-proposals.ts';

describe('what a settings file among the files proposes', () => {
  it.each([
    [1, 0, "1 allow rule of the files' settings waits for you"],
    [2, 0, "2 allow rules of the files' settings wait for you"],
    [0, 1, "1 allow rule of the files' settings holds"],
    [0, 3, "3 allow rules of the files' settings hold"],
    [2, 1, "2 allow rules of the files' settings wait for you, 1 holds"],
    [1, 2, "1 allow rule of the files' settings waits for you, 2 hold"],
    [0, 0, "No allow rule of the files' settings holds"],
  ])('%d waiting and %d accepted', (waiting, accepted, heading) => {
    expect(tellProposals(waiting, accepted)).toBe(heading);
  });

  it('is nothing where the answer has another shape, and never vouched for by it', () => {
    const nothing = { found: false, trusted: false, accepted: [], proposals: [], refused_because: '' };
    for (const answer of [undefined, null, [], 'x', {}, { trusted: 'true', found: 1, proposals: 'Edit', accepted: {} }])
      expect(readRepositorySettings(answer)).toEqual(nothing);
    expect(readRepositorySettings({ proposals: ['Edit(a)', 1, null, {}] }).proposals).toEqual(['Edit(a)']);
  });
});
