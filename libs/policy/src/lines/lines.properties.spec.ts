import fc from 'fast-check';
import { compileLine, sequenceOf } from './compile-line.ts';
import { LINE_REFUSALS } from './line-plan.ts';
import { proveReads } from './prove-reads.ts';

const runs = { numRuns: 10_000 };
const everything = { isProgram: () => true, home: '/home/me', files: ['a', 'b/c', '.d', 'b/e f'] };
const sign = fc.constantFrom(
  ...'\'"\\ |&;<>(){},*?[]!~$`=a-1/.'.split(''),
  '2>',
  '&&',
  '{a,b}',
  '{1..3}',
  '[ab]',
  '**',
  '<<',
  '2>&1',
  'if',
  'git commit',
  'A=',
);
const line = fc.array(sign, { maxLength: 14 }).map((signs) => signs.join(''));

/** The word as a person would quote it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

describe('command lines', () => {
  it('[policy.line] end in a plan or in a named refusal, whatever is written', () => {
    fc.assert(
      fc.property(fc.oneof(line, fc.string({ unit: 'binary' })), (text) => {
        const compiled = compileLine(text, everything);
        if ('refused' in compiled) return Object.hasOwn(LINE_REFUSALS, compiled.refused.code);
        const { steps, connectors } = compiled.plan;
        return steps.length === connectors.length + 1 && steps.every((step) => (step.argv[0] ?? '') !== '');
      }),
      runs,
    );
  });

  it('[policy.line] keep a quoted word one argument, letter for letter', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r\0]/.test(text));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const compiled = compileLine(['echo', ...words.map(quote)].join(' '), everything);
        expect(compiled).toMatchObject({ plan: { steps: [{ argv: ['echo', ...words] }] } });
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['eval a', 'source a.sh', '. a.sh', 'exec a', 'trap a EXIT', 'ls; eval a', 'A=1 eval a', "'eval' a"])(
    '[policy.line] are refused where they would have something interpreted: %s',
    (line) => expect(compileLine(line, everything)).toMatchObject({ refused: { code: 'Interpreter' } }),
  );

  it('compile to the same plan when a plan is written out again', () => {
    fc.assert(
      fc.property(line, (text) => {
        const first = compileLine(text, everything);
        if ('refused' in first) return true;
        const written = sequenceOf(first.plan).map((part) => {
          if (typeof part === 'string') return part;
          const env = Object.entries(part.env).map(([name, value]) => `${name}=${quote(value)}`);
          const redirects = part.redirects.map(({ op, path }) => (path === undefined ? op : `${op} ${quote(path)}`));
          return [...env, ...part.argv.map(quote), ...redirects].join(' ');
        });
        return JSON.stringify(compileLine(written.join(' '), everything)) === JSON.stringify(first);
      }),
      runs,
    );
  });

  it('[policy.proof] are proven only where nothing is written, assigned or redirected', () => {
    const word = fc.constantFrom(
      'wc',
      'grep',
      '-l',
      '-r',
      'a',
      '../a',
      '/etc/x',
      '-',
      '--',
      '>',
      'A=1',
      '|',
      '&&',
      'sort',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const compiled = compileLine(words.join(' '), everything);
        if ('refused' in compiled) return true;
        const reads = proveReads(compiled.plan, { workspace: '/w', resolve: (name) => `/usr/bin/${name}` });
        if (reads === undefined) return true;
        const isQuiet = compiled.plan.steps.every(
          (step) => step.redirects.length === 0 && Object.keys(step.env).length === 0,
        );
        return isQuiet && reads.every((path) => !path.startsWith('/') && !path.split('/').includes('..'));
      }),
      runs,
    );
  });
});

describe('an assignment', () => {
  it('keeps a name such as __proto__ a name', () => {
    const compiled = compileLine('__proto__=x cmd', everything);
    expect('plan' in compiled && Object.entries(compiled.plan.steps[0]?.env ?? {})).toEqual([['__proto__', 'x']]);
  });
});
