import fc from 'fast-check';
import { canonicalAddress, isPublicAddress, judgeHost, classifyHost } from '../index.ts';

const value = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  // Edges of the ranges, where a wrong mask shows.
  fc.constantFrom(
    0x0a000000,
    0x0affffff,
    0x0b000000,
    0x7f000001,
    0x80000000,
    0xa9fe0000,
    0xac100000,
    0xac1fffff,
    0xac200000,
    0xc0a80000,
    0xdfffffff,
    0xe0000000,
  ),
);
const octets = (v: number): number[] => [24, 16, 8, 0].map((shift) => Math.floor(v / 2 ** shift) % 256);
const dotted = (v: number): string => octets(v).join('.');
const group = (n: number): string => n.toString(16);
const low = (v: number): string => `${group(Math.floor(v / 65536))}:${group(v % 65536)}`;

describe('addresses', () => {
  it('that carry another are judged by it', () => {
    fc.assert(
      fc.property(value, (v) => {
        const inside = isPublicAddress(dotted(v));
        for (const carrier of [
          `::ffff:${dotted(v)}`,
          `::ffff:${low(v)}`,
          `64:ff9b::${low(v)}`,
          `64:ff9b::${dotted(v)}`,
          `::${low(v)}`,
        ]) {
          expect([carrier, isPublicAddress(carrier)]).toEqual([carrier, inside]);
        }
        for (const tunnel of [`2002:${low(v)}::1`, `2001:0:${low(v)}::1`, `64:ff9b:1::${low(v)}`])
          expect(isPublicAddress(tunnel)).toBe(false);
      }),
    );
  });

  it('have one spelling', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 }),
        (groups) => {
          const long = groups.map((n) => n.toString(16).padStart(4, '0').toUpperCase()).join(':');
          const canonical = canonicalAddress(long);
          expect(canonicalAddress(canonical ?? '')).toBe(canonical);
          expect(isPublicAddress(canonical ?? '')).toBe(isPublicAddress(long));
        },
      ),
    );
  });

  it('are refused where they cannot be read, whatever was written', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('0', '1', '8', 'f', ':', '.', '%', 'x', ' '), maxLength: 50 }),
        (text) => {
          const canonical = canonicalAddress(text);
          if (canonical === undefined) expect(isPublicAddress(text)).toBe(false);
          if (judgeHost(text).public) expect(classifyHost(text).kind).toBe('literal');
        },
      ),
      { numRuns: 3_000 },
    );
    expect(
      ['', '8.8.8', '08.8.8.8', '8.8.8.8 ', '2606:4700::1%eth0', ':::', '1::2::3', '::ffff:010.0.0.1'].map(
        isPublicAddress,
      ),
    ).toEqual(Array(8).fill(false));
  });

  it.each(['3fff::1', '5f00::1', '4000::1', '2001:1ff::1', '2001:2::1', '192.88.99.1', '::ffff:0:8.8.8.8'])(
    '%s is not handed out',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  it.each(['2001:200::1', '2606:4700:4700::1111', '2a00::1', '::8.8.8.8', '223.255.255.255'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('hosts', () => {
  it('[policy.addresses] that spell a number are read as every URL parser reads them', () => {
    fc.assert(
      fc.property(value, (v) => {
        const [a = 0, b = 0, c = 0, d = 0] = octets(v);
        const spellings = [
          `${v}`,
          `0x${v.toString(16)}`,
          `0${v.toString(8)}`,
          `${a}.${v % 2 ** 24}`,
          `0x${a.toString(16)}.${b}.${v % 65536}`,
          `0${a.toString(8)}.0x${b.toString(16)}.${c}.${d}.`,
        ];
        for (const host of spellings) {
          expect([host, classifyHost(host)]).toEqual([host, { kind: 'literal', address: dotted(v) }]);
          expect(new URL(`http://${host}/`).hostname).toBe(dotted(v));
        }
      }),
    );
  });

  it.each([
    ['%31%32%37.0.0.1', '127.0.0.1'],
    ['\uff11\uff12\uff17.0.0.1', '127.0.0.1'],
    ['127\u30020\u30020\u30021', '127.0.0.1'],
    ['12\u00ad7.0.0.1', '127.0.0.1'],
    ['0X7F.1', '127.0.0.1'],
    ['[::FFFF:127.0.0.1]', '::ffff:7f00:1'],
  ])('%s is %s in disguise', (host, address) => {
    expect(classifyHost(host)).toEqual({ kind: 'literal', address });
    expect(judgeHost(host)).toEqual({ public: false, spelledAsName: false });
  });

  it.each([
    '256.1.1.1',
    '1.2.3.4.5',
    '4294967296',
    '08.1.1.1',
    'a b',
    'a..b',
    '',
    '.',
    '[::1',
    '::1]',
    '[1.2.3.4]',
    'x@y',
    'x/y',
    '%zz',
    '[fe80::1%25eth0]',
    '[::1]x',
    'x[::1',
    '[8.8.8.8]',
    '[example.com]',
    '[example.com',
    'example.com]',
    'a'.repeat(1_025),
    'a'.repeat(5_000),
  ])('%s is nothing to connect to', (host) => {
    expect(judgeHost(host, ['8.8.8.8'])).toEqual({ public: false, spelledAsName: false });
  });

  it('[policy.addresses] need an answer, and only public ones', () => {
    expect(judgeHost('docs.test').public).toBe(false);
    expect(judgeHost('docs.test', ['8.8.8.8', 'nonsense']).public).toBe(false);
    expect(judgeHost('docs.test', ['8.8.8.8'])).toEqual({ public: true, spelledAsName: true });
    expect(judgeHost('134744072', ['10.0.0.1']).public).toBe(false);
  });

  it.each(['localhost', 'LOCALHOST.', 'a.localhost'])('%s is this machine whatever a resolver says', (host) => {
    expect(judgeHost(host, ['8.8.8.8']).public).toBe(false);
  });

  it('read any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (host) =>
        ['name', 'literal', 'malformed'].includes(classifyHost(host).kind),
      ),
    );
  });
});
