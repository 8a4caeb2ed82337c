/** Steps 10 and 11 of a decision: standing answers and the tool's own gate. Guarantees that one unanswerable question keeps the whole call waiting; nothing destructive must ever pass without a person. */
import type { Reason } from './decision.ts';
import type { Question } from './decide-questions.ts';
import { contentLabels } from './decide-questions.ts';
import { findGrant, scopeOfCall } from './grants.ts';
import type { JsonObject } from './json.ts';
import type { ToolManifest } from './manifest.ts';
import { taint } from './label.ts';
import type { ReadFacts } from './read-facts.ts';
import { judgeWrite } from './trust-map.ts';

export interface StandingAnswer {
  readonly reason: Reason;
  readonly rule: string;
}

/** Step 10: a grant, else an allow rule, if it may settle every question that is open. */
export function judgeStandingAnswers(facts: ReadFacts, questions: readonly Question[]): StandingAnswer | undefined {
  if (questions.some((question) => question.answerableBy === 'person')) return undefined;
  const needsExactRule = questions.some((question) => question.answerableBy === 'exact_rule');
  return (needsExactRule ? undefined : answerByGrant(facts)) ?? answerByAllowRule(facts, needsExactRule);
}

/** Step 11: what the tool asks by itself. A write also asks what its trust-map table says; something destructive always asks. */
export function judgeDefaultGate(facts: ReadFacts): { questions: readonly Question[]; passed: Reason } {
  const { manifest } = facts;
  const questions: Question[] = [];
  const add = (code: Reason['code'], text: string, answerableBy: Question['answerableBy']): void => {
    questions.push({ step: 'default_gate', reason: { code, text }, answerableBy });
  };
  if (manifest.effect === 'destructive') {
    add('destructive', `${manifest.title} cannot be undone, so a person confirms it each time.`, 'person');
  } else if (isGateShut(facts)) {
    add('default_gate', `${manifest.title} is asked about unless you have said otherwise.`, 'standing_answer');
    // Read out of the URL by its parser and never from how it looks; in ASCII, so that no letter passes for another.
    for (const host of hostsReached(facts)) add('host_reached', `The host it reaches: ${host}`, 'standing_answer');
  }
  const data = taint(contentLabels(facts)).integrity;
  for (const path of facts.paths) {
    if (path.access !== 'write' || !judgeWrite(data, path.trust).tableAsks) continue;
    if (path.trust === 'trusted') {
      add(
        'write_taints_path',
        'Untrusted content would replace a file you vouched for; the file is then untrusted.',
        'standing_answer',
      );
    } else {
      add(
        'write_new_path',
        'The file is new to this conversation; it becomes as trusted as what is written.',
        'standing_answer',
      );
    }
  }
  return { questions, passed: { code: 'no_gate', text: `${manifest.title} needs no answer here.` } };
}

const hostsReached = ({ manifest, resolvedTargets }: ReadFacts): readonly string[] =>
  Object.entries(manifest.arguments).flatMap(([name, { reaches }]) => {
    const host = reaches === 'url' ? resolvedTargets[name] : undefined;
    return typeof host === 'string' ? [host] : [];
  });

/** Anything but a gate known to be open is shut. */
function isGateShut(facts: ReadFacts): boolean {
  switch (facts.manifest.defaultGate) {
    case 'none':
      return false;
    case 'unless_proven':
      return facts.proven !== true;
    default:
      return true;
  }
}

/** D4: never for something destructive or external. */
function answerByGrant(facts: ReadFacts): StandingAnswer | undefined {
  const { manifest } = facts;
  if (!isGrantable(manifest)) return undefined;
  const grant = findGrant(facts.grants, manifest, facts);
  if (grant === undefined) return undefined;
  return {
    reason: { code: 'grant', text: `A grant of this conversation covers ${manifest.name} here.` },
    rule: grant.id,
  };
}

function isGrantable({ effect, external }: ToolManifest): boolean {
  return (effect === 'read' || effect === 'write') && external === false;
}

/** The scope a grant given together with the yes would have; undefined where no grant would keep the call from being asked again. */
export function offeredGrant(facts: ReadFacts, questions: readonly Question[]): JsonObject | undefined {
  const answers =
    isGrantable(facts.manifest) && questions.every(({ answerableBy }) => answerableBy === 'standing_answer');
  return answers ? scopeOfCall(facts.manifest, facts) : undefined;
}

/** A run nobody watches ignores allow rules. */
function answerByAllowRule(facts: ReadFacts, exactOnly: boolean): StandingAnswer | undefined {
  if (facts.watched !== true) return undefined;
  const hit = facts.rules.allow.find((candidate) => !exactOnly || candidate.exact === true);
  if (hit === undefined) return undefined;
  return {
    reason: { code: 'allow_rule', text: `The ${hit.layer} rule "${hit.rule}" allows this call.` },
    rule: hit.rule,
  };
}
