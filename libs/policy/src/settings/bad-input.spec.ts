/** Settings that somebody means ill with, or cannot spell: each says what is wrong and where, takes nothing else with it, and costs no age. */
import { compileSettings, diagnoseSettings, type CompiledSettings } from '../index.ts';

const GOOD = { layer: 'platform', text: JSON.stringify({ permissions: { deny: ['Read(secret/**)'] } }) };
const compile = (text: string): CompiledSettings => compileSettings([GOOD, { layer: 'user', text }]);
const denies = ({ rules }: CompiledSettings, path: string): boolean =>
  rules.judge({ family: 'Read', path: `/workspace/${path}`, spellings: [path] }).deny.length > 0;
const told = (compiled: CompiledSettings) =>
  diagnoseSettings(compiled, { families: ['Read', 'Edit', 'Bash'], secrets: [], mayNameSecrets: () => true });
const deep = (open: string, close: string): string => open.repeat(5_000) + close.repeat(5_000);

/** Far more than any of these takes, and far less than anything that backtracks or recurses would. */
const BOUND_MS = 3_000;

describe('settings that cannot be read [settings.alone]', () => {
  it.each([
    ['cut off', '{"permissions": {\n"deny": ["Read(a)"', 2, /text ends/],
    ['with a key twice', '{"permissions": {},\n\n"permissions": {"deny": ["Read(a)"]}}', 3, /there twice/],
    ['with __proto__', '{\n"__proto__": {"permissions": {"deny": []}}}', 2, /__proto__/],
    ['with half a surrogate pair', '{"env": {\n"A": "\\ud83d"}}', 2, /surrogate/],
    ['of lists in lists', `{"a": ${deep('[', ']')}}`, 1, /nested deeper/],
    ['of objects in objects', deep('{"a":', '}'), 1, /nested deeper/],
    ['with a comment', '{\n// mine\n}', 2, /needs/],
    ['of numbers beyond reason', '{"search": {"maxFiles": 1e999}}', 1, /too large/],
    ['that are no object', '"permissions"', 1, /one JSON object/],
  ])('%s are absent as a whole, with layer and line, and the others hold', (_, text, line, why) => {
    const began = performance.now();
    const compiled = compile(text);
    const { ok, findings } = told(compiled);
    expect(performance.now() - began).toBeLessThan(BOUND_MS);
    expect(ok).toBe(false);
    expect(findings).toMatchObject([
      { severity: 'error', code: 'unparseable', layer: 'user', line, text: expect.stringMatching(why) },
    ]);
    expect(denies(compiled, 'secret/a')).toBe(true);
  });

  it('for their size are not even begun, a hundred thousand rules as little as one of a megabyte', () => {
    const many = JSON.stringify({
      permissions: { deny: Array.from({ length: 100_000 }, (_, at) => `Read(d${at}/**)`) },
    });
    const long = JSON.stringify({ permissions: { deny: [`Read(${'a*'.repeat(524_288)})`] } });
    for (const text of [many, long]) {
      const began = performance.now();
      const compiled = compile(text);
      expect(performance.now() - began).toBeLessThan(BOUND_MS);
      expect(told(compiled).findings).toMatchObject([
        { code: 'too_large', layer: 'user', text: expect.stringContaining('65536 bytes') },
      ]);
      expect(denies(compiled, 'secret/a')).toBe(true);
    }
  });
});

describe('one bad part of readable settings', () => {
  it('is named with list and place, and what stands beside it holds [policy.rules-named]', () => {
    const compiled = compile(
      JSON.stringify({
        permissions: {
          deny: [
            'Read(b/**)',
            7,
            null,
            ['Read(c)'],
            '',
            'Read(d',
            'Read()',
            'x'.repeat(5_000),
            'Read(\u0000)',
            'Read(e/**)',
          ],
          ask: 'Read',
          allow: { 0: 'Read' },
        },
        env: { A: 1, B: 'b' },
        run: [],
        search: { maxFiles: -1 },
        provider: { p: 'x' },
        model: 5,
      }),
    );
    const { ok, findings } = told(compiled);
    expect(ok).toBe(false);
    expect(findings.map(({ code, key }) => `${code} ${key}`)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => `unreadable permissions.deny[${at}]`),
      ...['ignored env.A', 'ignored provider.p', 'useless permissions.ask', 'useless permissions.allow'],
      ...['useless run', 'useless search.maxFiles', 'useless model'],
    ]);
    expect(['b/x', 'e/x', 'secret/x', 'd'].map((path) => denies(compiled, path))).toEqual([true, true, true, false]);
    expect(compiled.settings.effective['env']).toEqual({ B: 'b' });
  });

  it('that a backtracking engine would take an age for costs nothing [policy.linear]', () => {
    const evil = ['**/'.repeat(600), '*a'.repeat(1_500), '{a,b}'.repeat(800), '?*'.repeat(1_500)].map(
      (pattern) => `Read(${pattern}z)`,
    );
    const compiled = compile(JSON.stringify({ permissions: { deny: evil } }));
    const began = performance.now();
    for (const path of ['a'.repeat(3_000), 'a/'.repeat(1_500), 'b'.repeat(3_000)]) denies(compiled, path);
    expect(performance.now() - began).toBeLessThan(BOUND_MS);
  });

  it('as many as fit are compiled, looked through and warned of in bounded time', () => {
    const fits = Array.from({ length: 8_000 }, (_, at) => `R${at}`);
    const began = performance.now();
    expect(told(compile(JSON.stringify({ permissions: { deny: fits } }))).findings).toHaveLength(8_000);
    const rules = Array.from({ length: 4_500 }, (_, at) => `Read(d${at})`);
    told(compile(JSON.stringify({ permissions: { deny: rules } })));
    expect(performance.now() - began).toBeLessThan(3 * BOUND_MS);
  });
});
