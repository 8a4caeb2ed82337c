/** Addresses nobody may have anything sent to, whoever configured it: where machines ask for their own credentials, and what is no single host. */
import ipaddr from 'ipaddr.js';
import { CARRIES_V4 } from './address-ranges.ts';
import { canonicalAddress } from './public-address.ts';

const FORBIDDEN_V4 = ['0.0.0.0/8', '100.100.100.200/32', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'];
const FORBIDDEN_V6 = ['::/128', 'fd00:ec2::254/128', 'fe80::/10', 'ff00::/8'];

const v4 = FORBIDDEN_V4.map((range) => ipaddr.IPv4.parseCIDR(range));
const v6 = FORBIDDEN_V6.map((range) => ipaddr.IPv6.parseCIDR(range));
const carriers = CARRIES_V4.map((range) => ipaddr.IPv6.parseCIDR(range));

/** True also for what cannot be read. An address that carries another is judged by both. */
export function isForbiddenAddress(text: string): boolean {
  const canonical = canonicalAddress(text);
  if (canonical === undefined) return true;
  const address = ipaddr.parse(canonical);
  if (address instanceof ipaddr.IPv4) return v4.some((range) => address.match(range));
  const six = address as ipaddr.IPv6;
  if (v6.some((range) => six.match(range))) return true;
  // `::1` lies in the old compatible form and is this machine.
  if (canonical === '::1' || !carriers.some((range) => six.match(range))) return false;
  const inside = new ipaddr.IPv4(six.toByteArray().slice(12));
  return v4.some((range) => inside.match(range));
}
