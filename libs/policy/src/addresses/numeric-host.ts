/** Hosts that spell an IPv4 address as a number. Guarantees the reading every URL parser has (the URL Standard's), so that what is judged is what a client would connect to. */

export type NumericHost = { readonly kind: 'address'; readonly address: string } | { readonly kind: 'not an address' };

/**
 * Reads `127.1`, `0x7f.1`, `017700000001` and `2130706433` as 127.0.0.1 is read. Undefined where the last label is no number,
 * which makes the host a name; a host that ends in a number and is no address is one that nothing can connect to.
 */
export function readNumericHost(host: string): NumericHost | undefined {
  const labels = host.split('.');
  if (labels.length > 1 && labels.at(-1) === '') labels.pop();
  const last = labels.at(-1) ?? '';
  if (!/^\d+$/.test(last) && !/^0x[\da-f]*$/i.test(last)) return undefined;
  const numbers = labels.length <= 4 ? labels.map(readNumber) : [undefined];
  const tail = numbers.pop();
  if (tail === undefined || numbers.some((number) => number === undefined || number > 255))
    return { kind: 'not an address' };
  // The last number fills all the octets that are left.
  if (tail >= 256 ** (4 - numbers.length)) return { kind: 'not an address' };
  let value = tail;
  numbers.forEach((number, at) => (value += (number ?? 0) * 256 ** (3 - at)));
  return { kind: 'address', address: [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.') };
}

/** Decimal, octal after `0`, hexadecimal after `0x`; more digits than 32 bits need are out of range by any reading. */
function readNumber(label: string): number | undefined {
  if (/^0x[\da-f]*$/i.test(label)) return label.length === 2 ? 0 : parseInt(label.slice(2), 16);
  if (/^0[0-7]*$/.test(label)) return parseInt(label, 8);
  return /^[1-9]\d*$/.test(label) ? parseInt(label, 10) : undefined;
}
