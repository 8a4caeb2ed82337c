/** When something may be sent, by the clocks of two places and over their changes. */
import { DEFAULT_PREFERENCES, readPreferences } from './preferences.ts';
import { whenDue } from './when-due.ts';

const due = (now: string, over: object, urgent = false): string =>
  whenDue(new Date(now), { ...DEFAULT_PREFERENCES, ...over }, urgent)
    .toISOString()
    .slice(0, 16);
const night = { quietFrom: '22:00', quietTo: '07:00', timeZone: 'Europe/Zurich' };

it.each([
  ['at once', '2026-01-10T12:00:00Z', {}, false, '2026-01-10T12:00'],
  ['at the end of quiet hours there', '2026-01-10T23:30:00Z', night, true, '2026-01-11T06:00'],
  ['in the morning part of them', '2026-01-11T05:59:00Z', night, true, '2026-01-11T06:00'],
  ['at their very end', '2026-01-11T06:00:00Z', night, true, '2026-01-11T06:00'],
  ['at their very beginning', '2026-01-11T21:00:00Z', night, true, '2026-01-12T06:00'],
  ['before them', '2026-01-11T20:59:00Z', night, true, '2026-01-11T20:59'],
  [
    'within quiet hours of the day',
    '2026-01-11T12:00:00Z',
    { quietFrom: '12:00', quietTo: '13:00' },
    false,
    '2026-01-11T13:00',
  ],
  [
    'with the digest',
    '2026-01-11T12:00:00Z',
    { digest: '18:30', timeZone: 'America/New_York' },
    false,
    '2026-01-11T23:30',
  ],
  [
    'with the next digest, where this one is now',
    '2026-01-11T18:30:00Z',
    { digest: '18:30' },
    false,
    '2026-01-12T18:30',
  ],
  ['without the digest, where it is urgent', '2026-01-11T12:00:00Z', { digest: '18:30' }, true, '2026-01-11T12:00'],
  [
    'after quiet hours, where the digest falls into them',
    '2026-01-11T12:00:00Z',
    { ...night, digest: '06:30' },
    false,
    '2026-01-12T06:00',
  ],
  ['by the new clock, over the change of spring', '2026-03-28T22:30:00Z', night, true, '2026-03-29T05:00'],
  ['by the old clock again, over that of autumn', '2026-10-24T21:30:00Z', night, true, '2026-10-25T06:00'],
])('is %s', (_what, now, over, urgent, expected) => {
  expect(due(now, over, urgent)).toBe(expected);
});

it('never falls into quiet hours, whatever the minute [notify.quiet]', () => {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Zurich',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  for (let minute = 0; minute < 3 * 1_440; minute += 7) {
    const now = new Date(Date.UTC(2026, 2, 28) + minute * 60_000);
    const told = clock.format(whenDue(now, { ...DEFAULT_PREFERENCES, ...night, digest: '23:00' }, minute % 2 === 0));
    expect({ now, told, quiet: told >= '22:00' || told < '07:00' }).toMatchObject({ quiet: false });
  }
});

it('is not stored where it could not be acted on', () => {
  const given = {
    email: ['approval_wanted', 'approval_wanted'],
    digest: '07:30',
    quietFrom: '22:00',
    quietTo: '07:00',
    timeZone: 'Europe/Zurich',
    webhook: 'https://example.com/bravo',
    webhookKinds: ['turn_finished'],
  };
  expect(readPreferences(given)).toEqual({ ...given, email: ['approval_wanted'] });
  for (const [field, wrong] of [
    ['email', { email: ['everything'] }],
    ['digest', { digest: '24:00' }],
    ['quiet_from', { quietFrom: '7:00' }],
    ['quiet_to', { quietTo: '' }],
    ['quiet_to', { quietTo: '22:00' }],
    ['time_zone', { timeZone: 'Mars/Olympus' }],
    ['time_zone', { timeZone: '' }],
    ['webhook', { webhook: 'http://example.com/' }],
    ['webhook_kinds', { webhookKinds: ['everything'] }],
  ] as const)
    expect(() => readPreferences({ ...given, ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', meta: { field } }),
    );
});
