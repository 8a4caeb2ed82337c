import { describe, expect, it } from '@jest/globals';
import { plan, stepEnds } from '../conversation/read-event-data.ts';
import { tellRedirect, tellStepEnd } from './tell-plan.ts';

describe('a plan', () => {
  it('is read as a whole or not at all', () => {
    const step = {
      argv: ['cat', 'a b'],
      program: '/usr/bin/cat',
      env: { A: '1' },
      redirects: [{ op: '>', path: 'x' }],
    };
    const whole = { steps: [step], connectors: [] };
    expect(plan(whole)).toEqual(whole);
    expect(plan({ ...whole, reads: ['a'] })?.reads).toEqual(['a']);
    for (const odd of [null, 'x', {}, { steps: 'x' }, { steps: [1] }]) expect(plan(odd)).toBeUndefined();
  });

  it('says of each step how it ended, and of one that did not run that it did not', () => {
    const [ok, killed, gone, missing] = stepEnds([
      { ran: true, exit_code: 0, signal: '', failure: '' },
      { ran: true, exit_code: 137, signal: 'SIGKILL', failure: '' },
      { ran: false, exit_code: 0, signal: '', failure: '' },
      { ran: true, exit_code: 127, signal: '', failure: 'not_found' },
    ]);
    expect([ok, killed, gone, missing].map((end) => end && tellStepEnd(end))).toEqual([
      'exit 0',
      'ended by SIGKILL',
      'did not run',
      'program not found',
    ]);
    expect(tellRedirect('2>>')).toBe('adds its errors to');
    expect(stepEnds('x')).toEqual([]);
  });
});
