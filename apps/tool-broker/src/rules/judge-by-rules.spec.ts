import { describe, expect, it } from '@jest/globals';
import { compileSettings } from '@bravo/policy';
import { judgeByRules, type Visit } from './judge-by-rules.ts';
import { judgeReadDenials } from './read-denials.ts';

const READ = { family: 'Read' } as const;
const BASH = { family: 'Bash' } as const;
const rulesOf = (permissions: Record<string, readonly string[]>) =>
  compileSettings([{ layer: 'user', text: JSON.stringify({ permissions }) }]).rules;
const verdict = (
  permissions: Record<string, readonly string[]>,
  visits: readonly Visit[],
  family: typeof READ | typeof BASH = READ,
  watched = true,
) => {
  const { deny, ask, allow } = judgeByRules(rulesOf(permissions), family, visits, watched);
  return deny.length > 0 ? 'deny' : ask.length > 0 ? 'ask' : allow.length > 0 ? 'allow' : 'none';
};
const read = (named: string, landing = named): Visit => ({ named, landing, access: 'read' });
const write = (named: string, landing = named): Visit => ({ named, landing, access: 'write' });

describe('a restricting rule [settings.rules]', () => {
  const secret = { deny: ['Read(secret/**)'] };

  it.each([
    ['secret/a'],
    ['./secret/a'],
    ['notes/../secret/a'],
    ['/workspace/secret/a'],
    ['secret/deep/er/a'],
    ['secret'],
  ])('reaches the file under the spelling %s', (named) => {
    expect(verdict(secret, [read(named)])).toBe('deny');
  });

  it('reaches it through a link, as an absolute rule, and where it is replaced', () => {
    expect(verdict(secret, [read('link', 'secret/a')])).toBe('deny');
    expect(verdict({ deny: ['Read(//workspace/secret/**)'] }, [read('secret/a')])).toBe('deny');
    expect(verdict(secret, [write('secret/a')])).toBe('deny');
    expect(verdict(secret, [read('secrets/a')])).toBe('none');
  });

  it('of one file restricts the program it goes into', () => {
    expect(verdict(secret, [read('a'), read('secret/b')], BASH)).toBe('deny');
    expect(verdict({ ask: ['Read(b)'] }, [read('a'), read('b')], BASH)).toBe('ask');
  });

  it('is as good where nobody could say where the file is', () => {
    expect(verdict(secret, [{ named: 'secret/a', access: 'read' }])).toBe('deny');
  });
});

describe('an allow rule', () => {
  it('grants a call only where every part is granted, and by its spelling', () => {
    const allow = { allow: ['Edit(notes/**)', 'Read(a)'] };
    expect(verdict(allow, [write('notes/a.txt')])).toBe('allow');
    expect(verdict(allow, [write('notes/../b.txt', 'b.txt')])).toBe('none');
    expect(verdict(allow, [write('b.txt')])).toBe('none');
    expect(verdict(allow, [read('a'), read('b')])).toBe('none');
    expect(verdict({ allow: ['Read(a)', 'Read(b)'] }, [read('a'), read('b')])).toBe('allow');
  });

  it('says nothing where nobody is watching', () => {
    expect(verdict({ allow: ['Edit'] }, [write('a')], READ, false)).toBe('none');
    expect(verdict({ ask: ['Edit'], allow: ['Edit'] }, [write('a')], READ, false)).toBe('ask');
  });

  it('is exact for the whole call only where it is for each part', () => {
    const judge = (permissions: Record<string, readonly string[]>) =>
      judgeByRules(rulesOf(permissions), READ, [read('n/a'), read('n/b')], true).allow.some(({ exact }) => exact);
    expect(judge({ allow: ['Read(n/a)', 'Read(n/b)'] })).toBe(true);
    expect(judge({ allow: ['Read(n/a)', 'Read(n/**)'] })).toBe(false);
  });
});

describe('an address and a foreign tool', () => {
  const ofTool = (permissions: Record<string, readonly string[]>, manifest: Parameters<typeof judgeByRules>[1]) =>
    Object.entries(judgeByRules(rulesOf(permissions), manifest, [{ url: 'https://docs.rs/serde' }], true))
      .filter(([, hits]) => hits.length > 0)
      .map(([list]) => list);
  const fetch = { family: 'WebFetch' } as const;

  it('is judged by the host that is fetched, and granted by its rule', () => {
    expect(ofTool({ deny: ['WebFetch(domain:docs.rs)'] }, fetch)).toEqual(['deny']);
    expect(ofTool({ ask: ['WebFetch'], allow: ['WebFetch(domain:docs.rs)'] }, fetch)).toEqual(['ask', 'allow']);
    expect(ofTool({ deny: ['WebFetch(domain:rs.docs)', 'Read', 'Bash', 'Mcp'] }, fetch)).toEqual([]);
  });

  it('is judged by server and tool, under both spellings of the rule', () => {
    const mail = { family: 'Mcp', upstream: { server: 'mail', tool: 'send' } } as const;
    const judge = (permissions: Record<string, readonly string[]>) =>
      Object.entries(judgeByRules(rulesOf(permissions), mail, [], true))
        .filter(([, hits]) => hits.length > 0)
        .map(([list]) => list);
    expect(judge({ deny: ['Mcp(mail:send)'] })).toEqual(['deny']);
    expect(judge({ ask: ['mcp__mail__send'], allow: ['mcp__mail'] })).toEqual(['ask', 'allow']);
    expect(judge({ deny: ['Mcp(mail:read)', 'Mcp(mai)', 'mcp__mail__sen', 'WebFetch'] })).toEqual([]);
    // One that both reads a file of the workspace and belongs to a server needs every part granted.
    const parts = judgeByRules(rulesOf({ allow: ['Mcp'] }), mail, [read('a')], true);
    expect(parts.allow).toEqual([]);
  });
});

describe('a place below a denied directory', () => {
  it('is denied with it, and so is everything where the rules cannot be read', () => {
    const paths = ['secret', 'secret/a/b', 'secrets', 'x/.env', 'x/.env/in'];
    const denials = judgeReadDenials(
      rulesOf({ deny: ['Read(secret/**)', 'Read(**/.env)'], ask: ['Read(secrets)'] }),
      paths,
    );
    expect(denials).toEqual([true, true, false, true, true]);
    expect(judgeReadDenials('unknown', ['a'])).toEqual([true]);
  });
});

describe('a program text', () => {
  it('is reached by rules of the whole family, is granted by none, and has no words', () => {
    expect(['deny', 'ask', 'allow'].map((list) => verdict({ [list]: ['Bash'] }, [], BASH))).toEqual([
      'deny',
      'ask',
      'none',
    ]);
    expect(verdict({ deny: ['Bash(python *)', 'Bash(rm *)'] }, [], BASH)).toBe('none');
    expect(verdict({ allow: ['Bash', 'Read(a)'] }, [read('a')], BASH)).toBe('none');
  });
});
