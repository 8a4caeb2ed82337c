/** Every promise of docs/guarantees.md is cited by a test, and every citation names a promise. */
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { citedPromises } from './cited-promises.ts';

const root = path.resolve(import.meta.dirname, '../..');
const promises = [...readFileSync(path.join(root, 'docs/guarantees.md'), 'utf8').matchAll(/^\| `([a-z]+\.[a-z-]+)` \|/gm)].map((match) => match[1] ?? '');
const tests = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.spec.ts', '*.contract.ts', '*.journey.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('tools/checks/') && existsSync(path.join(root, file)));
const areas = new Set(promises.map((promise) => promise.split('.')[0] ?? ''));
const cited = new Map<string, string>();
for (const file of tests) {
  for (const id of citedPromises(file, readFileSync(path.join(root, file), 'utf8'))) {
    if (areas.has(id.split('.')[0] ?? '')) cited.set(id, file);
  }
}

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
