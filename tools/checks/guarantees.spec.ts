/** Every promise of docs/guarantees.md is cited by a test, and every citation names a promise. */
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readCitations, readPromises } from '../sabotage/promises.ts';
import { readSabotages, sabotageText } from '../sabotage/sabotage.ts';
import { checkout } from '../stack/checkout.ts';
import { citedPromises } from './cited-promises.ts';

const citations = readCitations(checkout);
const promises = readPromises(checkout, citations).map(({ id }) => id);
const areas = new Set(promises.map((promise) => promise.split('.')[0] ?? ''));
const cited = new Map(
  [...citations].filter(([id]) => areas.has(id.split('.')[0] ?? '')).map(([id, files]) => [id, files[0] ?? '']),
);

describe('docs/guarantees.md', () => {
  it('is read', () => {
    expect(promises.length).toBeGreaterThan(30);
    expect(new Set(promises).size).toBe(promises.length);
  });

  it.each(promises)('has a test for %s', (promise) => {
    expect(cited.get(promise) ?? 'no test cites it').not.toBe('no test cites it');
  });

  it.each([...cited])('knows the promise %s that %s cites', (id) => {
    expect(promises).toContain(id);
  });
});

describe('a promise about security', () => {
  const { sabotages, notAboutSecurity, notYet } = readSabotages(checkout);
  const without = { ...notAboutSecurity, ...notYet };
  const broken = new Set(sabotages.flatMap(({ breaks }) => breaks));
  const HOW =
    'has no sabotage: add one to tools/sabotage/*.sabotages.yaml that its test notices (CONTRIBUTING.md, "New things")';

  it.each(promises.filter((promise) => !Object.hasOwn(without, promise)))('%s can be seen to fail', (promise) => {
    expect(broken.has(promise) ? 'has a sabotage' : HOW).toBe('has a sabotage');
  });

  it.each(sabotages.map((sabotage) => [sabotage.breaks.join(', '), sabotage] as const))(
    'has a sabotage of %s that still finds its line',
    (_name, sabotage) => {
      const text = readFileSync(path.join(checkout, sabotage.file), 'utf8');
      expect(sabotageText(text, sabotage)).not.toBe(text);
      // The title of a contract's test stands in another file than the spec that runs it, so the citation is looked for in the title.
      for (const promise of sabotage.breaks) {
        expect({ promise, cited: sabotage.red.some((entry) => entry.includes(`[${promise}]`)) }).toEqual({
          promise,
          cited: true,
        });
      }
    },
  );

  it.each(Object.keys(without))('has no sabotage: %s, which is a promise and really has none', (promise) => {
    expect({ promise: promises.includes(promise), sabotage: broken.has(promise) }).toEqual({
      promise: true,
      sabotage: false,
    });
  });
});

describe('a citation', () => {
  it.each([
    ["it('holds [a.b]', () => {})", ['a.b']],
    ["describe('all of it [a.b] [a.c]', () => { it('works', () => {}) })", ['a.b', 'a.c']],
    ["it.each([1])('holds %i [a.b]', () => {})", ['a.b']],
    ['it(`holds ${name} [a.b]`, () => {})', ['a.b']],
    ["// it holds [a.b]\nit('holds', () => { expect('[a.c]').toBe('') })", []],
    ["it.skip('holds [a.b]', () => {})", []],
    ["describe.skip('later', () => { it('holds [a.b]', () => {}) })", []],
    ["it.todo('holds [a.b]')", []],
  ])('of %s is %j', (code, ids) => expect(citedPromises('x.ts', code)).toEqual(ids));
});
