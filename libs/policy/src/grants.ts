/** Session grants (D4): which one, if any, speaks about a call. Guarantees that a grant matches only its own tool, its exact scope and its time; an empty scope must never mean every target. */
import { canonicalJson } from './canonical-json.ts';
import type { Facts, Grant } from './facts.ts';
import type { ToolManifest } from './manifest.ts';

/** The first live grant whose scope the call's routing arguments equal. `now` in milliseconds since the epoch. */
export function findGrant(
  grants: readonly Grant[],
  manifest: ToolManifest,
  given: Facts['arguments'],
  now: number,
): Grant | undefined {
  return grants.find(
    (grant) => grant.tool === manifest.name && grant.expiresAt > now && isInScope(grant, manifest, given),
  );
}

function isInScope(grant: Grant, manifest: ToolManifest, given: Facts['arguments']): boolean {
  const scope = Object.entries(grant.scope);
  const takesRouting = Object.values(manifest.arguments).some((argument) => argument.class !== 'content');
  if (scope.length === 0) return !takesRouting;
  return scope.every(
    ([name, value]) => Object.hasOwn(given, name) && canonicalJson(given[name]) === canonicalJson(value),
  );
}
