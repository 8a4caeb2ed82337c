import type { Candidate } from './candidate.ts';
import { compileRules, type RuleContext, type RuleSource } from './compile-rules.ts';
import { judgeWatched } from './judge-watched.ts';
import type { RuleList, UnreadableCode } from './rule.ts';

const around: RuleContext = { home: '/home/me', caseFolding: 'unknown', platform: 'posix' };

function compile(
  lists: Partial<Record<RuleList, readonly unknown[]>>,
  more: Partial<RuleSource> = {},
  context = around,
) {
  return compileRules([{ layer: 'user', settingsDir: '/srv/policy', ...lists, ...more }], context);
}

function run(...argv: readonly string[]): Candidate {
  return { family: 'Bash', steps: [{ argv }] };
}

describe('reading a rule', () => {
  it.each<[unknown, UnreadableCode]>([
    [['Bash(ls)'], 'not_text'],
    [{ rule: 'Bash(ls)' }, 'not_text'],
    [undefined, 'not_text'],
    ['   ', 'empty'],
    ['Bash(ls', 'unclosed_bracket'],
    ['Bash(ls) # all', 'unclosed_bracket'],
    ['Bash)', 'unknown_family'],
    ['(ls)', 'unknown_family'],
    ['__proto__(x)', 'unknown_family'],
    ['constructor', 'unknown_family'],
    ['Edit( )', 'empty_brackets'],
    ['Read(~alice/x)', 'no_anchor'],
    ['WebFetch(domain)', 'not_a_domain'],
    ['WebFetch(domain:*.example.com)', 'not_a_domain'],
    ['WebFetch(domain:example.com:8443)', 'not_a_domain'],
    ['WebFetch(domain:example.com/a)', 'not_a_domain'],
    ['WebFetch(domain:.)', 'not_a_domain'],
    ['WebFetch(domain:a b)', 'not_a_domain'],
    ['Mcp(a.b)', 'not_a_tool'],
    ['Mcp(weather:*x)', 'not_a_tool'],
    ['mcp__', 'not_a_tool'],
    ['mcp__a__b*', 'not_a_tool'],
    ['mcp____x', 'not_a_tool'],
  ])('[policy.rules-named] %p is dropped: %s', (entry, code) => dropsIt(entry, code));

  it.each<[string, string, UnreadableCode]>([
    ['past the longest', `Bash(${'a'.repeat(5000)})`, 'too_long'],
    ['of a megabyte', 'x'.repeat(1_000_000), 'too_long'],
    ['with a tool name past the longest', `Mcp(a:${'t'.repeat(129)})`, 'not_a_tool'],
    ['with a character no program can be given', 'Bash(a\0b)', 'unprintable'],
  ])('a rule %s is dropped', (_what, entry, code) => dropsIt(entry, code));

  function dropsIt(entry: unknown, code: UnreadableCode): void {
    const { dropped, rules } = compile({ ask: ['Bash(git *)', entry] });
    expect(dropped).toEqual([{ layer: 'user', list: 'ask', at: 1, entry, code, text: expect.stringMatching(/\.$/) }]);
    expect(rules.map(({ rule, list, at }) => [rule, list, at])).toEqual([['Bash(git *)', 'ask', 0]]);
  }

  it('names the family somebody meant', () => {
    expect(compile({ deny: ['Write(src/**)'] }).dropped[0]?.text).toContain('write Edit(...)');
    expect(compile({ deny: ['Glob'] }).dropped[0]?.text).toContain('write Read(...)');
  });

  it('reads a block of another tool unedited', () => {
    const { dropped, judge } = compile({
      deny: ['Read(./.env)', 'Read(./.env.*)', 'Read(./secrets/**)', 'WebFetch', 'mcp__github__delete_repo'],
      ask: ['Bash(git push:*)', 'mcp__github'],
      allow: ['Bash(npm run lint)', 'Bash(npm run test:*)', 'Read(~/.zshrc)', 'mcp__weather__*'],
    });
    expect(dropped).toEqual([]);
    const verdict = (call: Candidate): string => judge(call).verdict;
    expect(verdict({ family: 'Read', path: '.env' })).toBe('deny');
    expect(verdict({ family: 'Read', path: 'secrets/a/b' })).toBe('deny');
    expect(verdict({ family: 'Mcp', server: 'github', tool: 'delete_repo' })).toBe('deny');
    expect(verdict({ family: 'Mcp', server: 'github', tool: 'search' })).toBe('ask');
    expect(verdict({ family: 'Mcp', server: 'weather', tool: 'get' })).toBe('allow');
    expect(verdict(run('git', 'push', 'origin'))).toBe('ask');
    expect(verdict(run('npm', 'run', 'test', 'unit'))).toBe('allow');
    expect(verdict({ family: 'Read', path: '/home/me/.zshrc' })).toBe('allow');
  });

  it('takes spaces around a rule and around what is in its brackets for spelling', () => {
    const { judge } = compile({ deny: ['  Bash ( ls )  '] });
    expect(judge(run('ls')).decidedBy).toEqual(['  Bash ( ls )  ']);
  });
});

describe('where a path rule reaches', () => {
  const covers = (rule: string, list: RuleList, path: string, more: object = {}, context = around): boolean =>
    compile({ [list]: [rule] }, {}, context).judge({ family: 'Read', path, ...more }).verdict === list;

  it.each([
    ['Read(./.env)', 'sub/.env', true, false],
    ['Read(./src/**)', 'vendor/src/a', true, false],
    ['Read(src/*)', 'vendor/src/a', false, false],
    ['Read(*)', 'a/b', true, true],
    ['Read(*)', '/etc/hosts', true, false],
    ['Read(**)', '/etc/hosts', false, false],
    ['Read(logs/)', 'logs/a', true, false],
    ['Read(logs/)', 'logs', true, true],
    ['Read(./)', 'a/b', true, false],
    ['Read(.)', 'a/b', false, false],
    ['Read(~)', '/home/me', true, true],
    ['Read(~/)', '/home/me/a', true, false],
    ['Read(/../x)', '/srv/x', true, true],
    ['Read(a/../b)', 'b', true, true],
    ['Read(../shared/**)', '../shared/a', true, false],
    ['Read(src/**/**/a)', 'src/a', true, true],
    ['Read(a**b)', 'axxb', true, true],
    ['Read(a?c)', 'abc', false, false],
    ['Read([ab])', 'a', false, false],
    ['Read({a,b})', 'a', false, false],
    ['Read(.env)', 'x/../.env', true, false],
    ['Read(.env)', './/.env', true, true],
    ['Read(//etc/shadow)', '/etc/../etc/shadow', true, false],
    ['Read(//etc/shadow)', '/../etc/shadow', true, false],
    ['Read(.env)', '/srv/.env', false, false],
  ])('%s on %s: restricts %s, grants %s', (rule, path, restricts, grants) => {
    expect([covers(rule, 'deny', path), covers(rule, 'ask', path), covers(rule, 'allow', path)]).toEqual([
      restricts,
      restricts,
      grants,
    ]);
  });

  it('takes an anchor for a place even where its name has a star', () => {
    const context = { ...around, home: '/home/m*' };
    expect(covers('Read(~/x)', 'deny', '/home/mine/x', {}, context)).toBe(false);
    expect(covers('Read(~/x)', 'deny', '/home/m*/x', {}, context)).toBe(true);
  });

  it('has no anchor where the place is not absolute', () => {
    expect(compile({ deny: ['Read(~/x)'] }, {}, { ...around, home: 'home' }).dropped).toHaveLength(1);
    expect(compile({ deny: ['Read(/x)'] }, { settingsDir: '' }).dropped).toHaveLength(1);
  });

  it('covers other spellings of the file where it restricts', () => {
    const spellings = ['/workspace/.env', '.env'];
    expect(covers('Read(.env)', 'deny', 'link', { spellings })).toBe(true);
    expect(covers('Read(//workspace/.env)', 'ask', 'link', { spellings })).toBe(true);
    expect(covers('Read(.env)', 'allow', 'link', { spellings })).toBe(false);
  });

  it('reads the separators and drives of the host', () => {
    const windows: RuleContext = { ...around, platform: 'windows' };
    expect(covers('Read(src\\**)', 'allow', 'src\\a.rs', {}, windows)).toBe(true);
    expect(covers('Read(//C:/x/**)', 'deny', 'C:\\x\\y', {}, windows)).toBe(true);
    expect(covers('Read(x)', 'deny', 'C:\\x', {}, windows)).toBe(false);
  });

  it('stops a write by a denied read, and by no asked-about one', () => {
    const edit: Candidate = { family: 'Edit', path: '.env' };
    expect(compile({ deny: ['Read(.env)'] }).judge(edit).verdict).toBe('deny');
    expect(compile({ ask: ['Read(.env)'] }).judge(edit).verdict).toBe('none');
  });
});

describe('hosts', () => {
  const covers = (rule: string, call: object): boolean =>
    compile({ allow: [rule] }).judge({ family: 'WebFetch', ...call }).verdict === 'allow';

  it.each([
    ['WebFetch(domain:.example.com)', { host: 'a.example.com' }, true],
    ['WebFetch(domain: example.com )', { host: 'example.com' }, true],
    ['WebFetch(domain:127.0.0.1)', { url: 'http://2130706433/' }, true],
    ['WebFetch(domain:1)', { url: 'http://127.0.0.1/' }, false],
    ['WebFetch(domain:[::1])', { url: 'http://[0:0:0:0:0:0:0:1]:80/' }, true],
    ['WebFetch(domain:example.com)', { url: 'ftp://example.com/' }, false],
    ['WebFetch(domain:example.com)', { url: 'no url' }, false],
    ['WebFetch(domain:example.com)', { url: 'https://evil.test/', host: 'example.com' }, false],
    ['WebFetch(*)', { url: 'no url' }, true],
  ])('%s on %j: %s', (rule, call, expected) => {
    expect(covers(rule, call)).toBe(expected);
  });

  it('restricts by whichever host is named', () => {
    const call: Candidate = { family: 'WebFetch', url: 'https://evil.test/', host: 'example.com' };
    expect(compile({ deny: ['WebFetch(domain:example.com)'] }).judge(call).verdict).toBe('deny');
  });
});

describe('layers', () => {
  const sources: RuleSource[] = [
    { layer: 'platform', deny: ['Bash(rm *)'] },
    { layer: 'user', allow: ['Bash(git *)'], ask: ['Bash(git push *)'] },
    { layer: 'repository', deny: ['Bash(curl *)'], allow: ['Bash(make *)', 'Bash(git *)'], accepted: ['Bash(git *)'] },
  ];

  it('hold deny and ask from each', () => {
    const { judge } = compileRules(sources, around);
    expect(judge(run('rm', 'x')).deny).toEqual([{ rule: 'Bash(rm *)', layer: 'platform', exact: false }]);
    expect(judge(run('curl', 'x')).deny).toEqual([{ rule: 'Bash(curl *)', layer: 'repository', exact: false }]);
    expect(judge(run('git', 'push')).verdict).toBe('ask');
  });

  it('take a repository’s allow rule for a proposal until somebody accepts it', () => {
    const { judge, proposals } = compileRules(sources, around);
    expect(proposals.map(({ rule }) => rule)).toEqual(['Bash(make *)']);
    expect(judge(run('make', 'x')).verdict).toBe('none');
    expect(judge(run('git', 'log')).allow).toEqual([{ rule: 'Bash(git *)', layer: 'user', exact: false }]);
  });
});

describe('an exact rule', () => {
  it('is found behind a wider one', () => {
    const { judge } = compile({ allow: ['Bash(git *)', 'Bash(git status)'] });
    const { allow, decidedBy } = judge(run('git', 'status'));
    expect(decidedBy).toEqual(['Bash(git *)']);
    expect(allow.filter(({ exact }) => exact)).toEqual([{ rule: 'Bash(git status)', layer: 'user', exact: true }]);
  });

  it('names a line only where it names each of its steps', () => {
    const { judge } = compile({ allow: ['Bash(git status)', 'Bash(wc *)'] });
    const line: Candidate = { family: 'Bash', steps: [{ argv: ['git', 'status'] }, { argv: ['wc', '-l'] }] };
    expect(judge(line).allow.map(({ exact }) => exact)).toEqual([false, false]);
    expect(judge(run('git', 'status')).allow.map(({ exact }) => exact)).toEqual([true]);
  });

  it.each([
    ['Edit(./notes.txt)', { family: 'Edit', path: 'notes.txt' }, true],
    ['Edit(//w/notes.txt)', { family: 'Edit', path: '/w/notes.txt' }, true],
    ['Edit(notes.txt)', { family: 'Edit', path: 'notes.txt' }, false],
    ['Edit(docs/*)', { family: 'Edit', path: 'docs/a' }, false],
    ['Mcp(mail:send)', { family: 'Mcp', server: 'mail', tool: 'send' }, false],
  ] as const)('%s: %j %s', (rule, call, exact) => {
    expect(compile({ allow: [rule] }).judge(call).allow).toEqual([{ rule, layer: 'user', exact }]);
  });
});

describe('what no allow rule answers', () => {
  const everything = { allow: ['Bash', 'Read', 'Edit', 'WebFetch', 'Mcp'] };
  it.each<[string, Candidate]>([
    ['a line of no step', { family: 'Bash', steps: [] }],
    ['a file read in', { family: 'Bash', steps: [{ argv: ['wc'], redirects: [{ op: '<', path: '/dev/null' }] }] }],
    ['a redirection without its file', { family: 'Bash', steps: [{ argv: ['wc'], redirects: [{ op: '>' }] }] }],
    ['an assignment', { family: 'Bash', steps: [{ argv: ['ls'] }, { argv: ['ls'], env: { A: '' } }] }],
  ])('%s', (_what, call) => {
    expect(compile(everything).judge(call)).toMatchObject({ verdict: 'none', allow: [] });
  });

  it('is asked about by nobody’s rule where nobody watches', () => {
    const granted = compile(everything).judge(run('ls'));
    expect(judgeWatched(granted, true)).toBe(granted);
    expect(judgeWatched(granted, false)).toMatchObject({ verdict: 'none', allow: [], decidedBy: [] });
    const asked = compile({ ask: ['Bash'], ...everything }).judge(run('ls'));
    expect(judgeWatched(asked, false)).toMatchObject({ verdict: 'ask', allow: [], decidedBy: ['Bash'] });
  });

  it('includes a word no program can be given', () => {
    expect(compile({ allow: ['Bash(ls *)'] }).judge(run('ls', 'a\0b')).verdict).toBe('none');
  });
});
