/** The destination a CONNECT names. Guarantees one reading: small letters, no user, no path, a port that is written out. */

export interface Destination {
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A name or an IPv4 address as a URL parser leaves them, or IPv6 in brackets; anything else is undefined. */
const AUTHORITY = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,252}))):([1-9][0-9]{0,4})$/;

export const readAuthority = (text: string): Destination | undefined => {
  const found = AUTHORITY.exec(text);
  if (found === null) return undefined;
  const port = Number(found[3]);
  const host = found[1] ?? found[2] ?? '';
  return port > 65_535 ? undefined : { host, port };
};
