/** Facts after the refusals, with nothing unknown left in them. Guarantees that a question is only ever judged on facts that were read; it must never fill an unknown in. */
import type { ContextState } from './context.ts';
import type { Denied, Step } from './decision.ts';
import type { ConfigSnapshot, CredentialFact, Facts, Grant, InputFact, PathFact, RuleVerdicts } from './facts.ts';
import type { ToolManifest } from './manifest.ts';
import { deny } from './decide-refusals.ts';

export interface ReadPath extends PathFact {
  readonly trust: Exclude<PathFact['trust'], 'unknown'>;
  readonly revision: Exclude<PathFact['revision'], 'unknown'>;
}

export interface ReadFacts {
  readonly config: ConfigSnapshot;
  readonly manifest: ToolManifest;
  readonly userId: string;
  readonly conversationId: string;
  readonly context: ContextState;
  readonly arguments: Facts['arguments'];
  readonly argumentLabels: Facts['argumentLabels'];
  readonly resolvedTargets: Facts['resolvedTargets'];
  readonly paths: readonly ReadPath[];
  readonly inputs: readonly InputFact[];
  readonly writesThroughReference: boolean;
  readonly credentials: readonly CredentialFact[];
  readonly assignsEnvironment: boolean;
  readonly proven: boolean;
  readonly rules: RuleVerdicts;
  readonly grants: readonly Grant[];
  readonly watched: boolean;
  readonly answeredBefore: boolean;
  readonly personCanAnswer: boolean;
  readonly now: number;
}

/** Narrows the facts, or denies and names the one that could not be read. */
export function readFacts(facts: Facts): ReadFacts | Denied {
  const { config, tool, context, paths, inputs, writesThroughReference, assignsEnvironment, proven, rules, grants } =
    facts;
  const { credentials } = facts;
  const { conversationId, userId } = facts.principal;
  if (config === 'unknown') return unreadable('feature_gate', 'the agent configuration');
  if (tool.kind !== 'known') return unreadable('tool_offered', 'the tool');
  if (conversationId === undefined) return unreadable('tool_offered', 'the conversation');
  if (rules === 'unknown') return unreadable('deny_rules', 'the permission rules');
  if (context === 'unknown') return unreadable('routing_integrity', 'what the planner was shown');
  if (!isList(paths)) return unreadable('routing_integrity', 'the paths of the call');
  const readPaths = paths.filter(isRead);
  if (readPaths.length !== paths.length) return unreadable('routing_integrity', 'trust or revision of a path');
  if (!isList(inputs)) return unreadable('always_ask', 'what goes into the call');
  if (!isList(credentials)) return unreadable('always_ask', 'whether the call holds a credential');
  if (typeof writesThroughReference !== 'boolean') return unreadable('always_ask', 'how the destination was named');
  if (typeof assignsEnvironment !== 'boolean') return unreadable('always_ask', 'the environment of the program');
  if (!isList(grants)) return unreadable('standing_answers', 'the grants of the conversation');
  if (typeof proven !== 'boolean') return unreadable('default_gate', 'whether the program is known');
  return {
    config,
    manifest: tool.manifest,
    userId,
    conversationId,
    context,
    arguments: facts.arguments,
    argumentLabels: facts.argumentLabels,
    resolvedTargets: facts.resolvedTargets,
    paths: readPaths,
    inputs,
    writesThroughReference,
    credentials,
    assignsEnvironment,
    proven,
    rules,
    grants,
    watched: facts.watched,
    answeredBefore: facts.answeredBefore === true,
    personCanAnswer: facts.personCanAnswer,
    now: facts.now,
  };
}

/** Missing is as unread as "unknown": a hole in the facts must not look like an empty list. */
function isList<Item>(fact: readonly Item[] | 'unknown'): fact is readonly Item[] {
  return Array.isArray(fact);
}

function isRead(path: PathFact): path is ReadPath {
  return path.trust !== 'unknown' && path.revision !== 'unknown';
}

function unreadable(step: Step, what: string): Denied {
  return deny(
    step,
    'facts_unreadable',
    `Could not read ${what}, so the call is refused. Try again; if it stays so, tell an administrator.`,
  );
}
