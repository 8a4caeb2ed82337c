/** The edges of what a rule covers: the first of the list decides, names are compared whole, and nothing nearly alike is met. */
import { isBeyondAllowRules, type Candidate, type CandidateRedirect } from './candidate.ts';
import { compileRules, type RuleContext, type RuleSource } from './compile-rules.ts';
import type { RuleList } from './rule.ts';

const around: RuleContext = { home: '/home/me', caseFolding: 'unknown', platform: 'posix' };
const compile = (list: RuleList, rules: readonly string[], context = around, more: Partial<RuleSource> = {}) =>
  compileRules([{ layer: 'user', settingsDir: '/srv/policy', [list]: rules, ...more }], context);
const read = (path: string): Candidate => ({ family: 'Read', path });
const run = (...lines: readonly string[]): Candidate => ({
  family: 'Bash',
  steps: lines.map((line) => ({ argv: line.split(' ') })),
});

describe('the first rule of a list', () => {
  it.each<[string, readonly string[], Candidate, readonly string[]]>([
    ['of two steps', ['Bash(b)', 'Bash(a)'], run('a', 'b'), ['Bash(b)']],
    ['of two steps, the other way', ['Bash(a)', 'Bash(b)'], run('a', 'b'), ['Bash(a)']],
    ['before a step no rule covers', ['Bash(x)', 'Bash(a)'], run('a', 'z'), ['Bash(a)']],
    ['after a step no rule covers', ['Bash(x)', 'Bash(a)'], run('z', 'a'), ['Bash(a)']],
    ['of two alike', ['Read(a/b)', 'Read(./a/b)'], read('a/b'), ['Read(a/b)']],
    ['of two trees alike', ['Read(a/b/**)', 'Read(./a/b/**)'], read('a/b/c'), ['Read(a/b/**)']],
    ['of two wide ones alike', ['Bash(git *)', 'Bash(git:*)'], run('git x'), ['Bash(git *)']],
    ['of everything', ['Bash', 'Bash(*)', 'Bash(a)'], run('a'), ['Bash']],
    ['behind a narrower one', ['Bash(a b)', 'Bash(a *)', 'Bash'], run('a c'), ['Bash(a *)']],
    ['of a wide and a plain path', ['Read(a/*)', 'Read(./a/b)'], read('a/b'), ['Read(a/*)']],
    ['of a plain and a wide path', ['Read(./a/b)', 'Read(a/*)'], read('a/b'), ['Read(./a/b)']],
  ])('decides: %s', (_what, rules, call, decidedBy) => {
    expect(compile('deny', rules).judge(call)).toMatchObject({ verdict: 'deny', decidedBy });
    expect(compile('ask', rules).judge(call)).toMatchObject({ verdict: 'ask', decidedBy });
  });

  it('is told by the name its source gives it, and by its text where it gives none', () => {
    const nameRule = (list: RuleList, at: number) => (at === 0 ? undefined : `${list} ${at}`);
    const { judge, rules } = compile('deny', ['Bash(a)', 'Bash(b)'], around, { nameRule });
    expect(judge(run('a')).deny).toEqual([{ rule: 'Bash(a)', layer: 'user', exact: true }]);
    expect(judge(run('b')).deny).toEqual([{ rule: 'deny 1', layer: 'user', exact: true }]);
    expect(rules.map((rule) => 'shown' in rule)).toEqual([false, true]);
  });

  it('is named once for each step it grants exactly', () => {
    const granted = compile('allow', ['Bash(git status)', 'Bash(wc -l)']).judge(run('git status', 'wc -l'));
    expect(granted.allow.map(({ rule, exact }) => [rule, exact])).toEqual([
      ['Bash(git status)', true],
      ['Bash(wc -l)', true],
    ]);
  });
});

describe('a rule about a whole family', () => {
  const calls: Readonly<Record<string, Candidate>> = {
    Bash: run('a'),
    Read: read('a'),
    Edit: { family: 'Edit', path: 'a' },
    WebFetch: { family: 'WebFetch', url: 'https://a.test/' },
    Mcp: { family: 'Mcp', server: 'a', tool: 'b' },
  };

  it.each(Object.keys(calls).flatMap((family) => [[family, family] as const, [`${family}(*)`, family] as const]))(
    '%s covers every call of it, and in no list one of another',
    (rule, family) => {
      // Whoever may not read a file may not write it either, so the two are no strangers.
      const isPath = (name: string): boolean => name === 'Read' || name === 'Edit';
      const others = Object.entries(calls).filter(([name]) => name !== family && !(isPath(name) && isPath(family)));
      for (const list of ['deny', 'ask', 'allow'] as const) {
        const { judge } = compile(list, [rule]);
        expect(judge(calls[family] as Candidate)).toMatchObject({ verdict: list, decidedBy: [rule] });
        expect(others.map(([, call]) => judge(call).verdict)).toEqual(others.map(() => 'none'));
      }
    },
  );
});

describe('a rule about words', () => {
  it.each<[string, string, boolean]>([
    ['Bash(a *)', 'a', true],
    ['Bash(a *)', 'ab', false],
    ['Bash(* a)', 'b a', true],
    ['Bash(* a)', 'a', false],
    ['Bash(*.sh)', 'x.sh', true],
    ['Bash(*.sh)', '.sh', true],
    ['Bash(*.sh)', 'sh', false],
    ['Bash(*.sh)', 'x.sh y', false],
    ['Bash(a*b)', 'ab', true],
    ['Bash(aa*a)', 'aa', false],
    ['Bash(a*bc*c)', 'abc', false],
    ['Bash(a*bc*c)', 'abcc', true],
    ['Bash(*ab*b*)', 'ab', false],
    ['Bash(*ab*b*)', 'abb', true],
    ['Bash(aa*a)', 'aaa', true],
    ['Bash(*--force*)', 'git push --force', true],
    ['Bash(*--force*)', 'git push --forc', false],
    ['Bash(a*long*b)', 'a long b', true],
    ['Bash(a*long*b)', 'a long', false],
    ['Bash(a*long*b)', 'long b', false],
    ['Bash(*one*two*)', 'one two', true],
    ['Bash(*one*two*)', 'two one', false],
    ['Bash(*abcdefghijklmnopqrstuvwxyz*)', 'x abcdefghijklmnopqrstuvwxyz', true],
    ['Bash(*abcdefghijklmnopqrstuvwxyz*)', 'abcdefghijklmnopqrstuvwxy', false],
    [`Bash(${'s'.repeat(200)}*)`, 's'.repeat(201), true],
    [`Bash(${'s'.repeat(200)}*)`, 's'.repeat(199), false],
    [`Bash(*${'e'.repeat(200)})`, `x${'e'.repeat(200)}`, true],
    [`Bash(*${'e'.repeat(200)})`, 'e'.repeat(199), false],
    ['Bash(**)', 'anything at all', true],
    ['Bash(a:*)', 'a', true],
    ['Bash(a:*)', 'a b', true],
    ['Bash(a b * *)', 'a b', false],
    ['Bash(a\\b)', 'a\\b', true],
    ['Bash(a\\b)', 'a/b', false],
  ])('%.40s on %.40s: %s', (rule, line, covered) => {
    expect(compile('deny', [rule]).judge(run(line)).verdict).toBe(covered ? 'deny' : 'none');
  });

  it('is found among others of its kind', () => {
    const rules = ['Bash(a *)', 'Bash(ab *)', 'Bash(ab *x)', 'Bash(*zz)', 'Bash(*z)', 'Bash(*inn*)', 'Bash(*inner*)'];
    const { judge } = compile('ask', rules);
    const decided = (line: string) => judge(run(line)).decidedBy[0];
    expect(['a b', 'ab c', 'c zz', 'c z', 'c inn c', 'c inner c', 'c'].map(decided)).toEqual([
      ...['Bash(a *)', 'Bash(ab *)', 'Bash(*zz)', 'Bash(*z)', 'Bash(*inn*)', 'Bash(*inn*)', undefined],
    ]);
    const behind = compile('ask', [
      'Bash(ab *y)',
      'Bash(ab *x)',
      'Bash(*b z)',
      'Bash(*c z)',
      'Bash(*q1*)',
      'Bash(*q2*)',
    ]);
    const one = (line: string) => behind.judge(run(line)).decidedBy[0];
    expect(['ab c x', 'ab c y', 'c c z', 'c b z', 'c q2 d', 'c q1 d'].map(one)).toEqual([
      ...['Bash(ab *x)', 'Bash(ab *y)', 'Bash(*c z)', 'Bash(*b z)', 'Bash(*q2*)', 'Bash(*q1*)'],
    ]);
  });
});

describe('a rule about paths', () => {
  it.each<[string, string, boolean, boolean]>([
    ['Read(a\\b)', 'a/b', false, false],
    ['Read(a\\b)', 'a\\b', true, true],
    ['Read(src/**)', 'x/src/a', true, false],
    ['Read(src/**)', 'src', true, true],
    ['Read(src/)', 'x/src/a', true, false],
    ['Read(src/)', 'x/src', true, false],
    ['Read(src)', 'x/src', true, true],
    ['Read(src)', 'x/src/a', false, false],
    ['Read(a/b/**)', 'x/a/b/c', false, false],
    ['Read(a/b/)', 'x/a/b', false, false],
    ['Read(a/b/)', 'a/b/c', true, false],
    ['Read(**/a)', 'x/y/a', true, true],
    ['Read(**/a)', 'a', true, true],
    ['Read(**/a/b)', 'x/b', false, false],
    ['Read(a/**/b)', 'a/b', true, true],
    ['Read(a/**/b)', 'a/x/y/b', true, true],
    ['Read(a/**/b)', 'a/x/b/y', false, false],
    ['Read(a/**/b/*.c)', 'a/x/b/y/b/z.c', true, true],
    ['Read(a/*/c)', 'a/b/c', true, true],
    ['Read(a/*/c)', 'a/b/b/c', false, false],
    ['Read(*.pem)', 'deep/down/key.pem', true, true],
    ['Read(*/*)', 'a/b', true, true],
    ['Read(*/*)', 'a/b/c', false, false],
    ['Read(../x)', 'a/../../x', true, false],
    ['Read(../../x)', 'a/../../../x', true, false],
    ['Read(x)', '../x', true, false],
    ['Read(./x)', '../x', true, false],
    ['Read(./x)', 'a/../../x', true, false],
    ['Read(a/b/../../../x)', '../x', true, false],
    ['Read(**/../x)', 'x', false, false],
    ['Read(a/*/**)', 'a/b', true, true],
    ['Read(a/*/**)', 'a', false, false],
    ['Read(a/**/b)', 'x/a/y/b', false, false],
    ['Read(../x)', 'x', false, false],
    ['Read(a/..*)', 'a/..b', true, true],
    ['Read(//a/../../x)', '/x', true, true],
    ['Read(//a/**/../x)', '/a/x', false, false],
    ['Read(//**)', '/', true, true],
    ['Read(//**)', 'a', false, false],
    ['Read(/x)', '/srv/policy/x', true, true],
    ['Read(/x)', '/x', false, false],
    ['Read(~/x)', '/home/me/x', true, true],
    ['Read(~/x)', 'x', false, false],
  ])('%s on %s: restricts %s, grants %s', (rule, path, restricts, grants) => {
    const met = (list: RuleList) => compile(list, [rule]).judge(read(path)).verdict === list;
    expect([met('deny'), met('ask'), met('allow')]).toEqual([restricts, restricts, grants]);
  });

  it.each<[readonly string[], string]>([
    [['Read(//.a/b)', 'Read(./a/b)'], 'a/b'],
    [['Read(./a/bc)', 'Read(./ab/c)'], 'ab/c'],
    [['Read(./a/b)', 'Read(./a/b/c)'], 'a/b/c'],
    [['Read(./a/b/c)', 'Read(./a/b)'], 'a/b'],
    [['Read(./a/*.x)', 'Read(./b/*.x)'], 'b/1.x'],
    [['Read(./a/*x)', 'Read(./a/*x/y)'], 'a/1x/y'],
    [['Read(./a/*/**)', 'Read(./a/*/b/*)'], 'a/1/b/2'],
    [['Read(./*/*/z1)', 'Read(./*/z1)'], 'a/z1'],
  ])('%j hides neither', (rules, path) => {
    expect(compile('deny', rules).judge(read(path)).verdict).toBe('deny');
  });

  it.each<[string, boolean]>([
    ['a:/x', true],
    ['z:/x', true],
    ['A:/x', true],
    ['Z:/x', true],
    ['1:/x', false],
    ['`:/x', false],
    ['{:/x', false],
    ['a:x', false],
    ['ab/x', false],
    ['a/:/x', false],
  ])('%s is a place of its own: %s', (path, outside) => {
    expect(compile('allow', ['Read(**)']).judge(read(path)).verdict).toBe(outside ? 'none' : 'allow');
  });

  it('begins at the home of the host, whichever way its separators lean', () => {
    const windows: RuleContext = { home: 'C:\\Users\\me', caseFolding: true, platform: 'windows' };
    const verdict = (rule: string, path: string) => compile('deny', [rule], windows).judge(read(path)).verdict;
    expect(verdict('Read(~/.ssh/**)', 'C:\\Users\\me\\.ssh\\id')).toBe('deny');
    expect(verdict('Read(~\\.ssh\\**)', 'c:/users/ME/.SSH/id')).toBe('deny');
    expect(verdict('Read(~/.ssh/**)', 'D:\\Users\\me\\.ssh\\id')).toBe('none');
    expect(verdict('Read(Ärger)', 'A\u0308RGER')).toBe('deny');
  });
});

describe('a line', () => {
  const into = (redirect: CandidateRedirect): Candidate => ({
    family: 'Bash',
    steps: [{ argv: ['wc'], redirects: [redirect] }],
  });

  it('reads and writes the files it names', () => {
    const verdict = (rule: string, call: Candidate) => compile('deny', [rule]).judge(call).verdict;
    expect(verdict('Read(./a)', into({ op: '<', path: 'a' }))).toBe('deny');
    expect(verdict('Edit(./a)', into({ op: '<', path: 'a' }))).toBe('none');
    expect(verdict('Edit(./a)', into({ op: '>', path: 'a' }))).toBe('deny');
    expect(verdict('Read(./a)', into({ op: '2>>', path: 'a' }))).toBe('deny');
    expect(compile('ask', ['Read(./a)']).judge(into({ op: '<', path: 'a' })).verdict).toBe('ask');
    expect(compile('ask', ['Read(./a)']).judge(into({ op: '>', path: 'a' })).verdict).toBe('none');
  });

  it.each<[string, Candidate, boolean]>([
    ['of no step', { family: 'Bash', steps: [] }, true],
    ['of a step without assignments', { family: 'Bash', steps: [{ argv: ['ls'], env: {} }] }, false],
    ['that assigns', { family: 'Bash', steps: [{ argv: ['ls'], env: { A: '1' } }] }, true],
    ['that throws its output away', into({ op: '&>', path: '/dev/null' }), false],
    ['that joins its outputs', into({ op: '2>&1' }), false],
    ['that writes', into({ op: '>', path: 'a' }), true],
    ['that is given private bytes', { family: 'Bash', steps: [{ argv: ['ls'] }], privateInput: true }, true],
    [
      'no more than its first step',
      { family: 'Bash', steps: [{ argv: ['ls'] }, { argv: ['a'], env: { A: '' } }] },
      true,
    ],
  ])('%s is beyond allow rules: %s', (_what, call, beyond) => {
    expect(isBeyondAllowRules(call)).toBe(beyond);
    if (call.family === 'Bash' && call.steps.length > 0)
      expect(compile('allow', ['Bash']).judge(call).verdict).toBe(beyond ? 'none' : 'allow');
  });
});
