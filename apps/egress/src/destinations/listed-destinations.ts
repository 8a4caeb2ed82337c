/** Destinations that whoever runs the platform listed by service, host and port. Guarantees that an empty list lists nothing. */

/** Entries as `audit=siem.internal:6514`; IPv6 in brackets. */
export const createIsListed = (
  entries: readonly string[],
): ((service: string, host: string, port: number) => boolean) => {
  const listed = new Set(entries.map((entry) => entry.toLowerCase()));
  return (service, host, port) => listed.has(`${service}=${host.includes(':') ? `[${host}]` : host}:${port}`);
};
