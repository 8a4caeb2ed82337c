/** What is switched off is said as what it is: @bravo as a whole, or programs alone. */
import { describe, expect, it } from '@jest/globals';
import { readAvailability } from './read-availability.ts';

const tool = (name: string, reason = '') => ({
  name,
  policy_state: reason === '' ? 'available' : 'denied',
  policy_reason: reason,
});

describe('what the list of tools says', () => {
  it.each([
    ['nothing is off', [tool('read_file'), tool('execute_script')], { off: '', noPrograms: '' }],
    ['programs alone', [tool('read_file'), tool('execute_script', 'No code.')], { off: '', noPrograms: 'No code.' }],
    ['@bravo as a whole', [tool('read_file', 'Off.'), tool('execute_script', 'Off.')], { off: 'Off.', noPrograms: '' }],
    ['another tool', [tool('read_file', 'Denied.'), tool('execute_script')], { off: '', noPrograms: '' }],
    ['no tools at all', [], { off: '', noPrograms: '' }],
    ['what is no tool', [null, 7], { off: '', noPrograms: '' }],
  ])('%s', (_, tools, said) => {
    expect(readAvailability(tools)).toEqual(said);
  });
});
