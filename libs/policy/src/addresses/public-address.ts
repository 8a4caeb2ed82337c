/** Whether an address is public enough to connect to. Guarantees that an address carrying another is judged by it and that whatever cannot be read is not public; it must never read a number in a base the writer may not have meant. */
import ipaddr from 'ipaddr.js';
import { CARRIES_V4, GLOBAL_V6, NOT_PUBLIC_V4, NOT_PUBLIC_V6 } from './address-ranges.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Longer than any address; keeps a hostile text away from the parser. */
const MAX_LENGTH = 45;
const FOUR_DECIMALS = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;

const v4Ranges = NOT_PUBLIC_V4.map((range) => ipaddr.IPv4.parseCIDR(range));
const v6Ranges = NOT_PUBLIC_V6.map((range) => ipaddr.IPv6.parseCIDR(range));
const carriers = CARRIES_V4.map((range) => ipaddr.IPv6.parseCIDR(range));
const globalV6 = ipaddr.IPv6.parseCIDR(GLOBAL_V6);

/** `text` is an address in its usual form: four decimals without leading zeros, or IPv6 without a zone. */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  return address !== undefined && isPublic(address);
}

/** The one spelling of an address, so that two spellings compare equal. Undefined where `text` is none. */
export function canonicalAddress(text: string): string | undefined {
  const address = readAddress(text);
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address?.toString();
}

function readAddress(text: string): Address | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (!text.includes(':'))
    return FOUR_DECIMALS.test(text) && ipaddr.IPv4.isValid(text) ? ipaddr.IPv4.parse(text) : undefined;
  // A zone names an interface of one machine, so it is nothing on the open Internet.
  if (!/^[\da-fA-F:.]+$/.test(text)) return undefined;
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (tail.includes('.') && !FOUR_DECIMALS.test(tail)) return undefined;
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return !v4Ranges.some((range) => address.match(range));
  if (carriers.some((range) => address.match(range))) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(globalV6) && !v6Ranges.some((range) => address.match(range));
}
