/** Letters that pose as others are drawn with what they are; honest words of any script are left alone. */
import { describe, expect, it } from '@jest/globals';
import { countHidden, revealedText } from './reveal-hidden.ts';

describe('a letter that poses as another', () => {
  it.each([
    ['p\u0430ypal.com', 'p\u0430‹U+0430›ypal.com'],
    ['write_fi\u04cfe', 'write_fi\u04cf‹U+04CF›e'],
    ['\u0430\u0440\u0440\u04cf\u0435.com', 5],
    ['sc\u03bfpe', 'sc\u03bf‹U+03BF›pe'],
    ['\uff41dmin', '\uff41‹U+FF41›dmin'],
    ['\u{1d41a}bc', 1],
  ])('is marked in %s', (text, expected) => {
    if (typeof expected === 'string') expect(revealedText(text)).toBe(expected);
    else expect(countHidden(text)).toBe(expected);
  });

  it.each([
    'notes/a.txt',
    'файл/заметки.txt',
    'αρχείο σημειώσεων',
    'naïve café',
    '日本語 text',
    'x = 6*7',
    'Ünïcode ß',
  ])('is not seen in %s', (text) => {
    expect(countHidden(text)).toBe(0);
  });
});
