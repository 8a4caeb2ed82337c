/** Hosts at the edges of numbers, read as the URL parser of this very platform reads them. */
import { describe, expect, it } from '@jest/globals';
import { type NumericHost, readNumericHost } from './numeric-host.ts';
import { canonicalAddress, isPublicAddress } from './public-address.ts';

const DOTTED = /^\d+\.\d+\.\d+\.\d+$/;

/** What the URL Standard says of it: an address, nothing to connect to, or a name. */
const asUrl = (host: string): NumericHost | undefined => {
  try {
    const { hostname } = new URL(`http://${host}/`);
    return DOTTED.test(hostname) ? { kind: 'address', address: hostname } : undefined;
  } catch {
    return { kind: 'not an address' };
  }
};

describe('a host that may be a number', () => {
  it.each(
    [
      ...['1', '01', '1.', '127.1', '127.0.1', '1.2.3.4', '1.2.3.4.', '0', '00', '0.0.0.0', '255.255.255.255'],
      ...['0x', '0X', '1.0x', '0x.0x', '0x7f.1', '0X7F.0x1', '0x7f000001', '0xff', '0x100.1', '0xg', '1.0xg'],
      ...['010', '010.1', '017700000001', '07', '08', '09.1', '1.08', '0.0.0.010', '0.0.0.08', '018'],
      ...['4294967295', '4294967296', '1.16777215', '1.16777216', '1.2.65535', '1.2.65536', '1.2.3.255', '1.2.3.256'],
      ...['255.1', '256.1', '255.1.1.1', '256.1.1.1', '1.256.1', '1.1.256.1', '1.255.1', '256.1.1', '1.255.255.1'],
      ...[
        '1.2.3.4.5',
        '1.2.3.4.0',
        '0x1g.1',
        'a0x1.1',
        '1.2.3.4.5.6',
        'a.1',
        '1.a.3',
        'a.b.c.d.1',
        '1a.1',
        'a1.1',
        '1.a1.1',
        '08.1.1.1',
        '1.1a.1.1',
      ],
      ...['a', 'a1', '1a', 'x0x1', '0x1g', '1.2.3.4a', '1.2.3.a4', 'a.0x1g', '1.2.3.x0x1', 'example.com', '1.example'],
    ].map((host) => [host]),
  )('%s', (host) => {
    expect(readNumericHost(host)).toEqual(asUrl(host));
  });
});

describe('an address with a leading zero', () => {
  it.each(['010.8.8.8', '08.8.8.8', '8.8.8.010', '::ffff:010.8.8.8', '64:ff9b::010.8.8.8'])('%s is none', (text) => {
    expect([isPublicAddress(text), canonicalAddress(text)]).toEqual([false, undefined]);
  });
});
