/** Session grants (D4): what one may be for, and which one, if any, speaks about a call. Guarantees that a grant matches only its own tool, its exact scope and its time; an empty scope must never mean every target. */
import { canonicalJson } from './canonical-json.ts';
import type { Facts, Grant } from './facts.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Reach, ToolManifest } from './manifest.ts';

/** Arguments that a grant names by what they resolved to: a link may lead elsewhere tomorrow, and a pattern stand for other files. */
const PLACES: readonly Reach[] = ['read_path', 'source_path', 'write_path', 'edit_path', 'directory', 'command_line'];

/** The first live grant whose scope the call's routing arguments equal. `now` in milliseconds since the epoch. */
export function findGrant(
  grants: readonly Grant[],
  manifest: ToolManifest,
  call: Pick<Facts, 'arguments' | 'resolvedTargets' | 'now'>,
): Grant | undefined {
  return grants.find(
    (grant) => grant.tool === manifest.name && grant.expiresAt > call.now && isInScope(grant, manifest, call),
  );
}

/**
 * The narrowest scope that covers exactly this call: every routing argument it gave. Undefined where no grant could, because a
 * place it names could not be resolved.
 */
export function scopeOfCall(
  manifest: ToolManifest,
  call: Pick<Facts, 'arguments' | 'resolvedTargets'>,
): JsonObject | undefined {
  const names = Object.keys(call.arguments).filter((name) => isRouting(manifest, name));
  const values = names.map((name) => [name, granted(manifest, name, call)] as const);
  if (values.some(([, value]) => value === undefined)) return undefined;
  const scope = Object.fromEntries(values) as JsonObject;
  return names.length === 0 && takesRouting(manifest) ? undefined : scope;
}

/**
 * Why a person may give no grant of this scope; undefined where they may. It names nothing but routing arguments, and none is left
 * out without which the call would say nothing of where it lands.
 * @param required arguments the tool cannot be called without.
 */
export function refuseScope(
  manifest: ToolManifest,
  required: readonly string[],
  scope: JsonObject,
): string | undefined {
  for (const name of Object.keys(scope)) {
    if (!Object.hasOwn(manifest.arguments, name)) return `The tool ${manifest.name} takes no argument "${name}".`;
    if (!isRouting(manifest, name))
      return `"${name}" is content, which a grant does not name: leave it out, and any content is covered.`;
  }
  const missing = required.filter((name) => isRouting(manifest, name) && !Object.hasOwn(scope, name));
  if (missing.length > 0) return `The scope must name ${missing.join(' and ')}: a grant without would cover every one.`;
  if (Object.keys(scope).length === 0 && takesRouting(manifest))
    return 'The scope is empty. Name at least one argument with the exact value that is granted.';
  return undefined;
}

function isInScope(grant: Grant, manifest: ToolManifest, call: Pick<Facts, 'arguments' | 'resolvedTargets'>): boolean {
  const scope = Object.entries(grant.scope);
  if (scope.length === 0) return !takesRouting(manifest);
  return scope.every(([name, value]) => {
    const given = granted(manifest, name, call);
    return given !== undefined && canonicalJson(given) === canonicalJson(value);
  });
}

/** What a scope says of one argument; undefined where the call did not give it or where it leads is not known. */
function granted(
  manifest: ToolManifest,
  name: string,
  { arguments: given, resolvedTargets }: Pick<Facts, 'arguments' | 'resolvedTargets'>,
): JsonValue | undefined {
  if (!Object.hasOwn(given, name)) return undefined;
  const argument = Object.hasOwn(manifest.arguments, name) ? manifest.arguments[name] : undefined;
  if (argument?.reaches === undefined || !PLACES.includes(argument.reaches)) return given[name];
  return Object.hasOwn(resolvedTargets, name) ? resolvedTargets[name] : undefined;
}

function isRouting(manifest: ToolManifest, name: string): boolean {
  return !Object.hasOwn(manifest.arguments, name) || manifest.arguments[name]?.class !== 'content';
}

function takesRouting(manifest: ToolManifest): boolean {
  return Object.values(manifest.arguments).some((argument) => argument.class !== 'content');
}
