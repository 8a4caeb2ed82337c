/** What a yes covers (D2). Guarantees that every argument, target and revision that decides is under the digest; `why` must never change it. */
import { canonicalDigest } from './canonical-json.ts';
import type { BoundCall, CanonicalCall } from './decision.ts';
import type { ConfigSnapshot, PathFact } from './facts.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Raise it when questions are drawn differently: yeses to the older drawing then answer nothing. */
export const RENDERING_VERSION = 2;

export interface CallParts {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly resolvedTargets: JsonObject;
  readonly paths: readonly PathFact[];
  readonly policyVersion: ConfigSnapshot['policyVersion'];
  readonly userId: string;
  readonly conversationId: string;
}

/** Builds the canonical call and its digest. Throws NotCanonicalError where an argument has no canonical spelling. */
export function bindCall(parts: CallParts): BoundCall {
  const call: CanonicalCall = {
    tool: parts.tool,
    arguments: withoutWhy(parts.arguments),
    targets: parts.resolvedTargets,
    revisions: Object.fromEntries(parts.paths.map((path) => [path.path, path.revision])),
    policyVersion: parts.policyVersion,
    rendering: RENDERING_VERSION,
    user: parts.userId,
    conversation: parts.conversationId,
  };
  return { call, digest: digestCall(call) };
}

/** SHA-256 over the canonical JSON of the call, lowercase hex. */
export function digestCall(call: CanonicalCall): string {
  return canonicalDigest(call);
}

function withoutWhy(given: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'why'));
}
