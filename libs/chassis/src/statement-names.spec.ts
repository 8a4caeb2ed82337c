/** Names of prepared statements: stable for one text, different for two, and no more of them than were asked for. */
import { expect, it } from '@jest/globals';
import { createStatementNames } from './statement-names.ts';

it('gives a text its name again and never to another, and none beyond the limit', () => {
  const nameOf = createStatementNames(2);
  const [one, two] = [nameOf({ sql: 'SELECT 1' }), nameOf({ sql: 'SELECT 2' })];
  expect(one).not.toBe('');
  expect(two).not.toBe('');
  expect(two).not.toBe(one);
  expect(nameOf({ sql: 'SELECT 3' })).toBe('');
  expect([nameOf({ sql: 'SELECT 1' }), nameOf({ sql: 'SELECT 2' })]).toEqual([one, two]);
});
