/** The harness that shows whether tests can fail can fail itself: each thing it must notice is put before it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeRun, type RanTest } from './judge-run.ts';
import { type Sabotage, sabotageText } from './sabotage.ts';
import { makeScratchCheckout } from './scratch-checkout.ts';

const sabotage = (over: Partial<Sabotage> = {}): Sabotage => ({
  breaks: ['a.b'],
  does: 'Leaves the door open.',
  file: 'libs/x/src/y.ts',
  find: 'if (closed)',
  replace: 'if (false)',
  red: ['y.spec.ts › the door is shut [a.b]'],
  quick: false,
  ...over,
});
const ran = (title: string, status: RanTest['status']): RanTest => ({ file: 'y.spec.ts', title, status });

describe('a run under sabotage', () => {
  const shut = ran('the door is shut [a.b]', 'red');

  it('is as it should be where exactly the named tests turn red', () => {
    expect(judgeRun(sabotage(), [shut, ran('the window', 'green'), ran('later', 'not run')])).toEqual({
      red: ['y.spec.ts › the door is shut [a.b]'],
      green: 1,
      problems: [],
    });
  });

  it.each<[string, Partial<Sabotage>, RanTest[], RegExp]>([
    [
      'nothing turns red',
      {},
      [ran('the door is shut [a.b]', 'green')],
      /No test that cites \[a\.b\] turned red.*\n.*stayed green/,
    ],
    ['a named test was not run', {}, [ran('the door is shut [a.b]', 'not run')], /stayed green/],
    [
      'another test turns red as well',
      {},
      [shut, ran('the window [c.d]', 'red')],
      /turned red and is not named.*the window/,
    ],
    [
      'a second promise is broken and nobody who cites it notices',
      { breaks: ['a.b', 'c.d'] },
      [shut],
      /No test that cites \[c\.d\]/,
    ],
    [
      'only a test that cites nothing notices',
      { red: ['y.spec.ts › the handle'] },
      [ran('the handle', 'red')],
      /No test that cites \[a\.b\]/,
    ],
    [
      'the same title turns red in another file',
      {},
      [{ ...shut, file: 'z.spec.ts' }],
      /stayed green.*\n.*not named.*z\.spec/,
    ],
  ])('is wrong where %s', (_what, over, tests, problem) => {
    expect(judgeRun(sabotage(over), tests).problems.join('\n')).toMatch(problem);
  });

  it('takes a star for any text, and every other sign for itself', () => {
    const red = ['y.spec.ts › door * (both) [a.b]'];
    expect(
      judgeRun(sabotage({ red }), [ran('door 1 (both) [a.b]', 'red'), ran('door 2 (both) [a.b]', 'red')]).problems,
    ).toEqual([]);
    expect(judgeRun(sabotage({ red }), [ran('door 1 both [a.b]', 'red')]).problems).toHaveLength(2);
  });
});

describe('a sabotage', () => {
  it('replaces its line, whatever signs the replacement holds', () => {
    expect(sabotageText('a; if (closed) b;', sabotage({ replace: "$& $' $1" }))).toBe("a; $& $' $1 b;");
  });

  it.each([
    ['is gone', 'if (open) b;', 0],
    ['stands there twice', 'if (closed) a; if (closed) b;', 2],
  ])('is refused where its line %s', (_what, text, times) => {
    expect(() => sabotageText(text, sabotage())).toThrow(`stands ${times} times`);
  });
});

describe('a scratch checkout', () => {
  let original: string;
  const read = (...names: string[]): string => readFileSync(path.join(...names), 'utf8');
  beforeAll(() => {
    original = realpathSync(mkdtempSync(path.join(tmpdir(), 'bravo-original-')));
    for (const directory of [
      'libs/x/src',
      'libs/x/dist',
      '.git',
      '.bravo',
      'node_modules/@bravo',
      'node_modules/.cache/bravo',
      'node_modules/other',
    ]) {
      mkdirSync(path.join(original, directory), { recursive: true });
    }
    writeFileSync(path.join(original, 'libs/x/src/y.ts'), 'if (closed) go();\n');
    linkSync(path.join(original, 'libs/x/src/y.ts'), path.join(original, 'libs/x/dist/y.ts'));
    writeFileSync(path.join(original, 'node_modules/.cache/bravo/build.json'), '{}');
    writeFileSync(path.join(original, 'node_modules/other/index.js'), 'other');
    symlinkSync('../../libs/x', path.join(original, 'node_modules/@bravo/x'));
  });
  afterAll(() => rmSync(original, { recursive: true }));

  it('is broken and mended without the original, whose packages it borrows and whose own packages it has itself', () => {
    const scratch = makeScratchCheckout(original);
    try {
      expect(['.git', '.bravo'].filter((name) => existsSync(path.join(scratch.root, name)))).toEqual([]);
      const restore = scratch.change('libs/x/src/y.ts', (text) => sabotageText(text, sabotage()));
      expect(read(scratch.root, 'node_modules/@bravo/x/src/y.ts')).toBe('if (false) go();\n');
      expect(read(scratch.root, 'node_modules/other/index.js')).toBe('other');
      expect(read(scratch.root, 'node_modules/.cache/bravo/build.json')).toBe('{}');
      for (const file of ['libs/x/src/y.ts', 'libs/x/dist/y.ts', 'node_modules/@bravo/x/src/y.ts'])
        expect(read(original, file)).toBe('if (closed) go();\n');
      restore();
      expect(read(scratch.root, 'libs/x/src/y.ts')).toBe('if (closed) go();\n');
    } finally {
      scratch.remove();
    }
    expect(existsSync(scratch.root)).toBe(false);
    expect(read(original, 'node_modules/other/index.js')).toBe('other');
  });
});
