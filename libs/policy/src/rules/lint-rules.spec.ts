import fc from 'fast-check';
import type { Candidate } from './candidate.ts';
import { compileRules, type RuleSource } from './compile-rules.ts';
import { lintRules, type LintContext } from './lint-rules.ts';

const offered: LintContext = {
  families: ['Read', 'Edit', 'Bash', 'WebFetch', 'Mcp'],
  servers: ['mail'],
  caseFolding: 'unknown',
};
const around = { home: '/home/me', caseFolding: 'unknown', platform: 'posix' } as const;

function lint(sources: readonly RuleSource[], context = offered): readonly (readonly string[])[] {
  return lintRules(compileRules(sources, around), context).map(({ code, rule }) => [code, rule]);
}

describe('a rule that decides nothing', () => {
  it.each<[string, Partial<RuleSource>, string[][]]>([
    ['behind a wider deny', { deny: ['Bash(aws *)'], allow: ['Bash(aws s3 ls)'] }, [['shadowed', 'Bash(aws s3 ls)']]],
    ['behind an ask of the whole family', { ask: ['Bash'], allow: ['Bash(ls *)'] }, [['shadowed', 'Bash(ls *)']]],
    ['behind a wider one of its list', { allow: ['Bash(ls*)', 'Bash(ls *)'] }, [['repeated', 'Bash(ls *)']]],
    ['behind its twin', { deny: ['Bash(ls:*)', 'Bash(ls *)'] }, [['repeated', 'Bash(ls *)']]],
    ['on a path', { deny: ['Read(src/**)'], allow: ['Edit(./src/a.ts)'] }, [['shadowed', 'Edit(./src/a.ts)']]],
    ['on a tree', { deny: ['Edit(**/gen/**)'], allow: ['Edit(a/gen/**)'] }, [['shadowed', 'Edit(a/gen/**)']]],
    [
      'on a host',
      { deny: ['WebFetch(domain:a.test)'], ask: ['WebFetch(domain:b.a.test)'] },
      [['shadowed', 'WebFetch(domain:b.a.test)']],
    ],
    ['on a tool', { ask: ['Mcp(mail)'], allow: ['Mcp(mail:send)'] }, [['shadowed', 'Mcp(mail:send)']]],
    ['of no server', { deny: ['mcp__gone__*'] }, [['no_server', 'mcp__gone__*']]],
    [
      'that cannot be read',
      { deny: ['Write(a)', 7] },
      [
        ['unreadable', 'Write(a)'],
        ['unreadable', '7'],
      ],
    ],
  ])('%s is named', (_what, lists, expected) => {
    expect(lint([{ layer: 'user', ...lists }])).toEqual(expected);
  });

  it('is named where no offered tool has its family', () => {
    expect(lint([{ layer: 'user', deny: ['WebFetch'] }], { ...offered, families: ['Read'] })).toEqual([
      ['no_tool', 'WebFetch'],
    ]);
  });

  it('waits where a repository proposes it', () => {
    expect(lint([{ layer: 'repository', allow: ['Bash(ls)'] }])).toEqual([['waits', 'Bash(ls)']]);
  });

  it('says which rule of which layer stands before it', () => {
    const sources: RuleSource[] = [
      { layer: 'platform', deny: ['Bash(rm *)'] },
      { layer: 'user', allow: ['Bash(rm -i *)'] },
    ];
    expect(lintRules(compileRules(sources, around), offered)[0]?.text).toContain(
      'the platform rule "Bash(rm *)" of the list deny',
    );
  });
});

describe('a rule that still decides something', () => {
  it.each<[string, Partial<RuleSource>]>([
    ['narrower in an earlier list', { deny: ['Bash(aws s3 rm *)'], allow: ['Bash(aws *)'] }],
    ['one level against a tree', { deny: ['Edit(src/*)'], allow: ['Edit(src/**)'] }],
    ['one level against the tree below it', { deny: ['Edit(*)'], ask: ['Read(src/**)'] }],
    ['another family', { deny: ['Edit(src/**)'], allow: ['Read(src/**)'] }],
    ['absolute against relative', { deny: ['Read(src/**)'], allow: ['Read(//src/**)'] }],
    ['a word’s gap against a space inside', { allow: ['Bash(ls *)'], deny: [] }],
    ['exact behind a wider grant', { allow: ['Bash(git *)', 'Bash(git status)'] }],
    ['the parent host', { deny: ['WebFetch(domain:b.a.test)'], allow: ['WebFetch(domain:a.test)'] }],
    ['the whole server', { ask: ['Mcp(mail:send)'], allow: ['Mcp(mail)'] }],
    ['the whole family', { ask: ['Bash(ls *)'], allow: ['Bash'] }],
    ['a bare command outside', { deny: ['Bash(git *x*)'], allow: ['Bash(git *)'] }],
  ])('is not named: %s', (_what, lists) => {
    expect(lint([{ layer: 'user', ...lists }])).toEqual([]);
  });
});

describe('a rule said to be shadowed', () => {
  const word = fc.constantFrom('a', 'b', 'a b', '*', 'a*', '*b', 'ab', '');
  const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '**');
  const rule = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `Bash(${words.join(' ')})`),
    fc
      .tuple(
        fc.constantFrom('Read', 'Edit'),
        fc.constantFrom('', './', '//'),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
      )
      .map(([family, lead, path]) => `${family}(${lead}${path.join('/')})`),
  );
  const call: fc.Arbitrary<Candidate> = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 4 }).map((argv): Candidate => ({ family: 'Bash', steps: [{ argv }] })),
    fc
      .tuple(fc.constantFrom('Read', 'Edit' as const), fc.constantFrom('', '/'), fc.array(segment, { maxLength: 4 }))
      .map(([family, lead, path]): Candidate => ({ family, path: `${lead}${path.join('/')}` })),
  );
  const rules = fc.array(rule, { minLength: 1, maxLength: 3 });

  it('changes nothing when it is taken out', () => {
    fc.assert(
      fc.property(rules, rules, rules, fc.array(call, { minLength: 5, maxLength: 5 }), (deny, ask, allow, calls) => {
        const lists = { deny, ask, allow };
        const compiled = compileRules([{ layer: 'user', ...lists }], around);
        for (const { code, list, at } of lintRules(compiled, offered)) {
          if (code !== 'shadowed' && code !== 'repeated') continue;
          const without = { ...lists, [list]: lists[list].filter((_, place) => place !== at) };
          const left = compileRules([{ layer: 'user', ...without }], around);
          for (const one of calls) if (left.judge(one).verdict !== compiled.judge(one).verdict) return false;
        }
        return true;
      }),
      { numRuns: 5000 },
    );
  });
});
