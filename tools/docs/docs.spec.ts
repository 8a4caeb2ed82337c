/** The documentation says what the code does: generated parts are fresh, links lead somewhere, every room is on the map. */
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brokenLinks, renderReference, rooms } from './render-reference.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const markdown = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));

describe('the documentation', () => {
  it.each([...renderReference()])(
    'docs/reference/%s is what the declarations say (npx nx run @bravo/tools:docs)',
    (name, text) => {
      expect(read(`docs/reference/${name}`)).toBe(text);
    },
  );

  it('has no link that leads nowhere', () => {
    expect(brokenLinks(root, markdown, read)).toEqual([]);
  });

  it('gives each decision a number of its own', () => {
    const numbers = markdown
      .filter((file) => file.startsWith('docs/adr/'))
      .map((file) => path.basename(file).slice(0, 4));
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  it('has every app and library on the map', () => {
    const map = read('docs/architecture.md');
    expect(rooms(root).filter((room) => !map.includes(`../${room})`))).toEqual([]);
  });

  it('walks the path of a message through files that exist', () => {
    const steps = [...read('docs/architecture.md').matchAll(/^\| \d+ .*$/gm)].map((match) => match[0]);
    expect(steps).toHaveLength(10);
    for (const step of steps) expect(step).toMatch(/\]\(\.\.\/(apps|libs)\//);
  });
});
