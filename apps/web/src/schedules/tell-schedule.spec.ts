import { describe, expect, it } from '@jest/globals';
import type { Schedule } from '../api/contract.ts';
import { scheduleState, scheduleTitle, tellSeconds } from './tell-schedule.ts';

const NOW = Date.parse('2026-12-01T10:00:00Z');
const loop: Schedule = {
  ...{ id: 'sch_1', kind: 'loop', status: 'live', line: 'look', every_seconds: 300, path: '', fires: 2, quiet: 0 },
  ...{ due_at: '2026-12-01T10:01:30Z', end_text: '' },
};

describe('a schedule in words', () => {
  it.each([
    [5, '5 seconds'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [7_200, '2 hours'],
    [604_800, '7 days'],
  ])('%d seconds are %s', (seconds, words) => expect(tellSeconds(seconds)).toBe(words));

  it('says what it is, when it comes and why it ended', () => {
    expect(scheduleTitle(loop)).toBe('Loop, 5 minutes after each answer');
    expect(scheduleTitle({ ...loop, every_seconds: 0 })).toBe('Loop at its own pace');
    expect(scheduleTitle({ ...loop, kind: 'watch', path: 'a.txt' })).toBe('Watches a.txt');
    expect(scheduleState(loop, NOW)).toBe('2 turns · asked again in 90 seconds');
    expect(scheduleState({ ...loop, quiet: 3 }, NOW + 200_000)).toBe(
      '2 turns · asked again now · nothing new 3 times in a row',
    );
    expect(scheduleState({ ...loop, due_at: null }, NOW)).toBe('2 turns · its turn is not over');
    expect(scheduleState({ ...loop, kind: 'watch', fires: 0, due_at: null }, NOW)).toBe('0 turns so far');
    expect(scheduleState({ ...loop, status: 'ended', end_text: 'You stopped it.' }, NOW)).toBe(
      'ended · You stopped it.',
    );
  });
});
