import fc from 'fast-check';
import { bindCall, type CallParts, type JsonValue } from './index.ts';
import { RUNS } from './facts-arbitrary.fixture.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    text,
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(text, tie('value'), { minKeys: 1, maxKeys: 3 }),
  ),
})).value as fc.Arbitrary<JsonValue>;

const NAMES = ['path', 'contents', 'code', 'env', 'files'];
const parts: fc.Arbitrary<CallParts> = fc.record({
  tool: fc.constantFrom('read_file', 'write_file'),
  arguments: fc.dictionary(fc.constantFrom(...NAMES, 'why'), value, { minKeys: 2, maxKeys: 3 }),
  resolvedTargets: fc.dictionary(fc.constantFrom(...NAMES), text),
  paths: fc.array(
    fc.record({
      path: fc.constantFrom('a', 'b'),
      access: fc.constantFrom('read', 'write'),
      trust: fc.constantFrom('trusted', 'untrusted', 'unmentioned'),
      revision: fc.constantFrom('1', '2', null),
    }),
    { maxLength: 2 },
  ),
  policyVersion: fc.constantFrom('p1', 'p2'),
  userId: fc.constantFrom('usr_1', 'usr_2'),
  conversationId: fc.constantFrom('cnv_1', 'cnv_2'),
});

/** The value with one byte of its JSON changed: the first place from `at` on where that still is JSON, of another value. */
function changeOneByte(before: JsonValue, at: number, bits: number): JsonValue | undefined {
  const spelled = JSON.stringify(before);
  const bytes = new TextEncoder().encode(spelled);
  for (let step = 0; step < bytes.length; step += 1) {
    const changed = Uint8Array.from(bytes);
    const place = (at + step) % bytes.length;
    // The low bits alone, so that a byte of a longer character stays one.
    changed[place] = (bytes[place] as number) ^ bits;
    const after = readJson(changed);
    if (after !== undefined && JSON.stringify(after) !== spelled) return after;
  }
  return undefined;
}

function readJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // A number past what JSON can carry reads as infinity, which is no value of JSON.
    return JSON.parse(text, (_name, part: unknown) => {
      if (typeof part === 'number' && !Number.isFinite(part)) throw new RangeError();
      return part;
    }) as JsonValue;
  } catch {
    return undefined;
  }
}

describe('the digest of a call', () => {
  it('changes with one byte of any argument but why [hostile.replay]', () => {
    let changed = 0;
    fc.assert(
      fc.property(parts, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 31 }), (call, which, at, bits) => {
        const names = Object.keys(call.arguments).filter((name) => name !== 'why');
        const name = names[which % Math.max(names.length, 1)];
        if (name === undefined) return true;
        const after = changeOneByte(call.arguments[name] as JsonValue, at, bits);
        if (after === undefined) return true;
        changed += 1;
        const other = bindCall({ ...call, arguments: { ...call.arguments, [name]: after } });
        return other.digest !== bindCall(call).digest;
      }),
      RUNS,
    );
    // A change that never came about would prove nothing.
    expect(changed).toBeGreaterThan(RUNS.numRuns / 2);
  });

  it('changes with every other thing a yes covers, and with nothing else', () => {
    fc.assert(
      fc.property(parts, parts, fc.nat(), (one, other, which) => {
        const covered = ({ arguments: { why: _why, ...given }, paths, ...rest }: CallParts) =>
          JSON.stringify([
            sorted(given),
            sorted(rest.resolvedTargets),
            sorted(Object.fromEntries(paths.map(({ path, revision }) => [path, revision]))),
            [rest.tool, rest.policyVersion, rest.userId, rest.conversationId],
          ]);
        const keys = Object.keys(one) as (keyof CallParts)[];
        const key = keys[which % keys.length] as keyof CallParts;
        const mixed = { ...one, [key]: other[key] } as CallParts;
        return (bindCall(mixed).digest === bindCall(one).digest) === (covered(mixed) === covered(one));
      }),
      RUNS,
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
