/** An area names code and specs that are there, and nothing is measured by specs of another area. */
import { describe, expect, it } from '@jest/globals';
import { globSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';
import { chooseMutants } from './mutation.ts';
import { MUTATION_AREAS } from './mutation-areas.ts';

const sources = path.join(checkout, 'libs/policy/src');

describe('mutation testing', () => {
  it.each(Object.entries(MUTATION_AREAS))('of %s finds its code and its specs', (_, { code, specs }) => {
    for (const pattern of code.filter((one) => !one.startsWith('!')))
      expect(globSync(pattern, { cwd: sources })).not.toEqual([]);
    for (const name of specs) expect(globSync(`${name}.spec.ts`, { cwd: sources })).not.toEqual([]);
  });

  it('measures a file by the specs of its area, and one of no area by all', () => {
    const of = (...names: string[]) => chooseMutants(names.map((name) => `libs/policy/src/${name}`)).specs;
    expect(of('decide.ts', 'grants.ts')).toContain('decide*');
    expect(of('rules/rule-index.ts')).toEqual(['rules/*']);
    expect(of('canonical-json.ts')).toEqual(['**/*']);
    expect(chooseMutants(['labels', 'globs'])).toMatchObject({
      code: expect.arrayContaining(['libs/policy/src/label.ts', 'libs/policy/src/globs/*.ts', '!**/*.spec.ts']),
      specs: expect.arrayContaining(['label*', 'globs/*']),
    });
  });

  it('refuses what is no file, and files of two areas', () => {
    expect(() => chooseMutants(['libs/policy/src/none.ts'])).toThrow(/There is no .*none\.ts/);
    expect(() => chooseMutants(['libs/policy/src/decide.ts', 'libs/policy/src/label.ts'])).toThrow(/one area/);
  });
});
