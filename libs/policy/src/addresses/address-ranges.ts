/** Ranges of addresses nobody on the open Internet has, or that lead to some other address. Guarantees that IPv6 outside the one range handed out for it is never public. */

/** `address/bits`. From the IANA special-purpose registries; 192.88.99.0/24 is the retired way into 6to4. */
export const NOT_PUBLIC_V4: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The only range global unicast addresses are handed out from. */
export const GLOBAL_V6 = '2000::/3';

/** Inside it: protocol assignments with Teredo, documentation, 6to4, documentation again. */
export const NOT_PUBLIC_V6: readonly string[] = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Forms whose last 32 bits are an IPv4 address that decides: mapped, translated (RFC 6052), the old compatible form. */
export const CARRIES_V4: readonly string[] = ['::ffff:0:0/96', '64:ff9b::/96', '::/96'];
