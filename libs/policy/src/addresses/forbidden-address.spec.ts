/** Addresses nobody may be sent to, at both ends of each range, bare and inside another. */
import { isForbiddenAddress } from './forbidden-address.ts';

describe('nobody is sent to', () => {
  it.each([
    ['what is no single host', ['0.0.0.0', '0.255.255.255', '224.0.0.0', '239.255.255.255', '::', 'ff00::', 'ff02::1']],
    ['what nobody has', ['240.0.0.0', '255.255.255.255']],
    ['where machines ask for credentials', ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '169.254.0.0']],
    ['a link', ['169.254.255.255', 'fe80::', 'fe80::1', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff']],
    [
      'an address that carries one',
      ['::ffff:169.254.169.254', '::169.254.169.254', '64:ff9b::a9fe:a9fe', '::ffff:0.0.0.0'],
    ],
    ['what cannot be read', ['', 'localhost', '169.254.169', '1.2.3.4.5', '::g', ' 10.0.0.1', '10.0.0.1/32']],
  ])('%s', (_what, addresses) => {
    expect(addresses.filter((address) => !isForbiddenAddress(address))).toEqual([]);
  });

  it.each([
    ['this machine', ['127.0.0.1', '::1', '::ffff:127.0.0.1']],
    ['a private network', ['10.0.0.1', '192.168.1.1', '172.16.0.1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1']],
    ['what lies beside a range', ['1.0.0.0', '100.100.100.199', '100.100.100.201', '169.253.255.255', '169.255.0.0']],
    ['what lies beside another', ['223.255.255.255', 'fd00:ec2::253', 'fd00:ec2::255', 'fec0::', 'fe7f::1', 'feff::1']],
    ['anybody', ['8.8.8.8', '2001:4860:4860::8888', '2001:db8::a9fe:a9fe']],
  ])('%s may be, where somebody configured it', (_what, addresses) => {
    expect(addresses.filter(isForbiddenAddress)).toEqual([]);
  });
});
