/** What a tenant's provider block may name. Guarantees public destinations and sealed secrets only; a profile, a private address or a process's variable must never come from a tenant. */
import type { JsonObject, JsonValue } from '../json.ts';
import { classifyHost } from '../addresses/judge-host.ts';

/** Why the block may not be used, for the person who wrote it; undefined where it may. Names inside `env` are left alone: they are looked up in the workspace's sealed secrets and nowhere else. */
export function refuseTenantProvider(block: JsonObject, allowedHosts: readonly string[] = []): string | undefined {
  const options = block['options'];
  if (!isObject(options)) return undefined;
  if (options['profile'] !== undefined) {
    return 'options.profile names credentials of the machine, which only the operator may. Remove it and give a key of your own.';
  }
  if (options['baseURL'] === undefined) return undefined;
  return refuseBaseUrl(options['baseURL'], allowedHosts);
}

function refuseBaseUrl(written: JsonValue, allowedHosts: readonly string[]): string | undefined {
  const host = typeof written === 'string' ? hostOfBaseUrl(written) : undefined;
  if (host === undefined) return 'options.baseURL is no https address of the form https://host/path.';
  if (allowedHosts.includes(host)) return undefined;
  const spelling = classifyHost(host);
  if (spelling.kind !== 'name' || isInsideName(spelling.name)) {
    return 'options.baseURL leads to no public host. Name a public host, or ask the operator to list this one.';
  }
  return undefined;
}

/** The host of an https URL, small letters, as a strict reader sees it: no user, no backslash, nothing a parser would have to mend. */
export function hostOfBaseUrl(url: string): string | undefined {
  if (url.length > 2048) return undefined;
  const found = /^https:\/\/([^\s\p{Cc}/?#\\@:[\]]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:[/?#][^\s\p{Cc}\\]*)?$/u.exec(
    url,
  );
  return found?.[1]?.toLowerCase();
}

/** Names that a public resolver has no answer for; what a name does resolve to is judged when it is connected to. */
function isInsideName(name: string): boolean {
  const labels = name.replace(/\.$/, '').split('.');
  return (
    labels.length < 2 ||
    ['localhost', 'local', 'internal', 'lan', 'home', 'intranet', 'arpa'].includes(labels.at(-1) ?? '')
  );
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
