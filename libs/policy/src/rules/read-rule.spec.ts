/** Where the reading of a rule ends: the longest that is one, the characters names may have, and what a person is told otherwise. */
import { readRule } from './read-rule.ts';
import { hostAndParents, hostOfUrl, readHostName } from './url-host.ts';

const anchors = { home: null, settingsDir: null, backslashSeparates: false };
const codeOf = (entry: unknown): string => {
  const read = readRule(entry, anchors);
  return 'unreadable' in read ? read.unreadable.code : 'rule';
};
const textOf = (entry: unknown): string => {
  const read = readRule(entry, anchors);
  return 'unreadable' in read ? read.unreadable.text : '';
};

describe('an entry of a list', () => {
  it.each<[string, unknown, string]>([
    ['the longest rule', `Bash(${'a'.repeat(4090)})`, 'rule'],
    ['one longer', `Bash(${'a'.repeat(4091)})`, 'too_long'],
    ['the longest alias', `Mcp(${'a'.repeat(64)})`, 'rule'],
    ['a longer alias', `Mcp(${'a'.repeat(65)})`, 'not_a_tool'],
    ['the longest tool', `Mcp(a:${'t'.repeat(128)})`, 'rule'],
    ['a longer tool', `Mcp(a:${'t'.repeat(129)})`, 'not_a_tool'],
    ['every kind of sign in names', 'Mcp(azAZ09-_:azAZ09-_./)', 'rule'],
    ['an alias that begins with a sign', 'Mcp(-a)', 'not_a_tool'],
    ['an alias that begins with another', 'Mcp(_a)', 'not_a_tool'],
    ['a sign before a', 'Mcp(a`)', 'not_a_tool'],
    ['a sign behind z', 'Mcp(a{)', 'not_a_tool'],
    ['a sign before A', 'Mcp(a@)', 'not_a_tool'],
    ['a sign behind Z', 'Mcp(a[)', 'not_a_tool'],
    ['a sign before 0', 'Mcp(a/)', 'not_a_tool'],
    ['a tool with a sign behind 9', 'Mcp(a:b:c)', 'not_a_tool'],
    ['a letter of another script', 'Mcp(ä)', 'not_a_tool'],
    ['a server and no tool', 'Mcp(a:)', 'not_a_tool'],
    ['a tool and no server', 'Mcp(:a)', 'not_a_tool'],
    ['every tool of a server', 'Mcp(a:*)', 'rule'],
    ['every tool', 'Mcp(*)', 'rule'],
    ['an alias past z in the alphabet of texts', 'Mcp(zed)', 'rule'],
    ['an alias that begins with a digit', 'Mcp(9a)', 'rule'],
    ['a bracket without a family, open', '(ls', 'unclosed_bracket'],
    ['another spelling of a server', 'mcp__a', 'rule'],
    ['another spelling of a tool', 'mcp__a__b', 'rule'],
    ['another spelling of every tool', 'mcp__a__*', 'rule'],
    ['another spelling without a tool', 'mcp__a__', 'not_a_tool'],
    ['every host', 'WebFetch(*)', 'rule'],
    ['a host without its word', 'WebFetch(example.com)', 'not_a_domain'],
    ['a family by another name', 'Task(x)', 'unknown_family'],
    ['a family in small letters', 'bash(ls)', 'unknown_family'],
    ['no text', 7, 'not_text'],
    ['spaces', ' ', 'empty'],
    ['a home where there is none', 'Read(~)', 'no_anchor'],
    ['a settings folder where there is none', 'Read(/a)', 'no_anchor'],
  ])('%s: %.30s is %s', (_what, entry, code) => expect(codeOf(entry)).toBe(code));

  it.each([
    ['Write(a)', 'There are no rules for Write; write Edit(...). The families are Read, Edit, Bash, WebFetch, Mcp.'],
    ['MultiEdit', 'write Edit(...)'],
    ['NotebookEdit', 'write Edit(...)'],
    ['Glob', 'write Read(...)'],
    ['Grep', 'write Read(...)'],
    ['LS', 'write Read(...)'],
    ['NotebookRead', 'write Read(...)'],
    ['Shell(ls)', 'write Bash(...)'],
    ['Run(ls)', 'write Bash(...)'],
    ['Fetch', 'write WebFetch(...)'],
    ['toString', 'No family of tools has this name. The families are'],
    ['Bash()', 'write "Bash" to mean every use'],
    ['Read(~/a)', 'no home directory'],
    ['Read(/a)', 'Write // for the root'],
    [`Bash(${'a'.repeat(4091)})`, 'may hold 4096 characters; this one holds 4097'],
  ])('%.30s: %s', (entry, text) => expect(textOf(entry)).toContain(text));
});

describe('a host', () => {
  it.each([...'/\\@?#%* :[]'].map((char) => [char]))('may not hold %j', (char) => {
    expect(readHostName(`a${char}b.test`)).toBeUndefined();
    expect(readHostName(`a.test${char}`)).toBeUndefined();
  });

  it.each([
    ['EXAMPLE.com.', 'example.com'],
    ['[::1]', '[::1]'],
    ['[::1', undefined],
    ['::1]', undefined],
    ['[::1]x', undefined],
    ['[::1%1]', undefined],
    ['[::1]:80', undefined],
    ['[u@[::1]', undefined],
    ['[::1]/[x]', undefined],
    ['[::1]\\[x]', undefined],
    ['[::1]?[x]', undefined],
    ['[::1]#[x]', undefined],
    ['.', undefined],
    ['', undefined],
  ])('%j is %j', (text, host) => expect(readHostName(text)).toBe(host));

  it.each([
    ['https://a.test./x', 'a.test'],
    ['HTTP://u:p@A.test:81/', 'a.test'],
    ['ws://a.test/', undefined],
    ['file:///a', undefined],
    ['a.test', undefined],
    ['http://./', undefined],
  ])('of %j is %j', (url, host) => expect(hostOfUrl(url)).toBe(host));

  it('has its parents, and an address none', () => {
    expect([...hostAndParents('a.b.c')]).toEqual(['a.b.c', 'b.c', 'c']);
    expect([...hostAndParents('a')]).toEqual(['a']);
    expect([...hostAndParents('.a')]).toEqual(['.a', 'a']);
    expect([...hostAndParents('[::ffff.1]')]).toEqual(['[::ffff.1]']);
  });
});
