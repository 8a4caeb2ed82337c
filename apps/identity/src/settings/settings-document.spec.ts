import { normaliseDocument } from './settings-document.ts';

describe('a settings document to be stored', () => {
  it('is written anew without its spaces', () => {
    expect(normaliseDocument('{ "model": "m",\n "env": {} }')).toBe('{"model":"m","env":{}}');
  });

  it.each([
    ['{"model": "a",\n "model": "b"}', 'line 2, column 2: the key "model" is there twice'],
    ['{"__proto__": {}}', '__proto__'],
    ['{"model": "\\ud800"}', 'half of a surrogate pair'],
    ['{"model": "m",}', 'line 1, column 15'],
    [`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'deeper than 64 levels'],
    ['["model"]', 'must be a JSON object'],
    ['', 'the text ends'],
    [' '.repeat(65_537), 'is larger than 65536 bytes'],
  ])('%# is refused with what is wrong and where', (text, why) => {
    expect(() => normaliseDocument(text)).toThrow(why);
  });
});
