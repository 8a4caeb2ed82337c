/** The host a URL reaches. Guarantees that a rule and the program that fetches read a URL with the same parser; it must never take a host from what the text looks like. */

/** The runtime's own URL parser (WHATWG): pure, and the very one the fetching program uses, so that the two cannot differ. */
declare const URL: new (input: string) => {
  readonly protocol: string;
  readonly hostname: string;
};

/** The host in lower case and ASCII, without a final dot. Nothing for what is no http or https URL. */
export function hostOfUrl(url: string): string | undefined {
  try {
    const parsed = new URL(url);
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
    return withoutFinalDot(parsed.hostname);
  } catch {
    return undefined;
  }
}

/** A host written by itself, in the same form. Nothing where it is more than a host: a port, a path, a star. */
export function readHostName(text: string): string | undefined {
  const isAddress = text.startsWith('[') && text.endsWith(']');
  const forbidden = isAddress ? '/\\@?#%* ' : '/\\@?#%* :[]';
  for (const char of text) if (forbidden.includes(char)) return undefined;
  return hostOfUrl(`http://${text}/`);
}

/** The host and each parent of it, nearest first: what a rule about any of them covers. */
export function* hostAndParents(host: string): Generator<string> {
  yield host;
  if (host.startsWith('[')) return;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1);
}

function withoutFinalDot(host: string): string | undefined {
  const bare = host.endsWith('.') ? host.slice(0, -1) : host;
  return bare === '' ? undefined : bare;
}
