import fc from 'fast-check';
import { canonicalDigest, canonicalJson, NotCanonicalError } from './index.ts';

describe('canonicalJson', () => {
  it.each([
    // The worked example of RFC 8785, section 3.2.2 and 3.2.3.
    [
      {
        numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        string: '\u20ac$\u000f\nA\'B"\\\\"/',
        literals: [null, true, false],
      },
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    [
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1f600}":5,"\ufb33":3}',
    ],
    [-0, '0'],
    [[], '[]'],
    [{}, '{}'],
    [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ])('%j', (value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ['half a surrogate pair', '\ud800'],
    ['half a surrogate pair in a name', { '\udc00': 1 }],
    ['NaN', Number.NaN],
    ['infinity', [Number.POSITIVE_INFINITY]],
    ['undefined', { a: undefined }],
    ['a hole', [, 1]],
    ['a bigint', 1n],
    ['a function', { toJSON: () => 'x' }],
    ['a date', new Date(0)],
    ['a map', new Map()],
  ])('refuses %s', (_what, value) => {
    expect(() => canonicalJson(value)).toThrow(NotCanonicalError);
  });

  it('refuses a cycle instead of exhausting the stack', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(() => canonicalJson(loop)).toThrow(/nested deeper/);
  });

  it('spells equal values the same, whatever the order of their members, and reads back', () => {
    const json = fc
      .jsonValue({ noUnicodeString: false, maxDepth: 5 })
      .filter((value) => JSON.stringify(value).isWellFormed());
    fc.assert(
      fc.property(json, (value) => {
        const spelled = canonicalJson(value);
        expect(canonicalJson(JSON.parse(spelled))).toBe(spelled);
        expect(canonicalJson(reversed(value))).toBe(spelled);
      }),
    );
  });

  it('digests the UTF-8 bytes with SHA-256', () => {
    expect(canonicalDigest('')).toBe('12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126');
    expect(canonicalDigest({ b: 1, a: 2 })).toBe(canonicalDigest({ a: 2, b: 1 }));
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
