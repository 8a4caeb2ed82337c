import { describe, expect, it } from '@jest/globals';
import { readScheduleCommand } from './read-schedule-command.ts';

const loop = (line: string, everySeconds = 0) => ({ name: 'loop', everySeconds, line });

describe('a line for the platform', () => {
  it.each([
    ['/loop 5m check the build', loop('check the build', 300)],
    ['  /loop 5s a  ', loop('a', 5)],
    ['/loop 7d a', loop('a', 604_800)],
    ['/loop check the build', loop('check the build')],
    ['/loop\ncheck\n  the build', loop('check\n  the build')],
    ['/loop -- 5 of them', loop('5 of them')],
    ['/loop 90s -- stop', loop('stop', 90)],
    ['/loop -- /compact', loop('/compact')],
    ['/loop stop the servers', loop('stop the servers')],
    ['/loop stop', { name: 'stop_loop', everySeconds: 0, line: '' }],
    ['/goal stop', { name: 'stop_goal', everySeconds: 0, line: '' }],
    ['/goal 3 tests pass', { name: 'goal', everySeconds: 0, line: '3 tests pass' }],
  ])('reads %j', (content, command) => {
    expect(readScheduleCommand(content)).toEqual(command);
  });

  it.each(['hello', 'say /loop 5m x', '/looping', '/goals', '/ loop', '/compact', '\\/loop 5m a', 'loop 5m a'])(
    'leaves %j alone',
    (content) => {
      expect(readScheduleCommand(content)).toBeUndefined();
    },
  );

  it.each([
    ['/loop', 'There is no line to ask.'],
    ['/loop 5m', 'There is no line to ask.'],
    ['/goal --', 'There is no line to ask.'],
    ['/loop 4s a', 'A loop is asked again after 5 seconds to 7 days, not after 4s.'],
    ['/loop 0s a', 'A loop is asked again after 5 seconds to 7 days, not after 0s.'],
    ['/loop 8d a', 'A loop is asked again after 5 seconds to 7 days, not after 8d.'],
    ['/loop 999999d a', 'A loop is asked again after 5 seconds to 7 days, not after 999999d.'],
    ['/loop 5min a', '"5min" is no interval.'],
    ['/loop 9999999s a', '"9999999s" is no interval.'],
    ['/loop 5 a', '"5" is no interval.'],
    ['/loop /loop a', 'A command is not asked again.'],
    ['/goal /compact', 'A command is not asked again.'],
  ])('refuses %j and says how it is written', (content, why) => {
    expect(() => readScheduleCommand(content)).toThrow(why);
    expect(() => readScheduleCommand(content)).toThrow(/It is "\/(loop|goal) /);
  });
});
