/** Decides one call. Guarantees that the eleven steps of containment.md are taken in order, the first that decides wins, and a failure inside is a deny; it must never do I/O or read a clock. */
import { bindCall } from './canonical-call.ts';
import { NotCanonicalError } from './canonical-json.ts';
import type { BoundCall, Decision, Denied } from './decision.ts';
import { judgeStandingAnswers, offeredGrant } from './decide-answers.ts';
import type { Question } from './decide-questions.ts';
import {
  refuseByDenyRules,
  refuseByFeatureGate,
  refuseByMode,
  refuseByOwnPermission,
  refuseByRoutingIntegrity,
  refuseByToolLists,
  refuseByToolOffer,
} from './decide-refusals.ts';
import type { Facts, PathFact } from './facts.ts';
import { gatherQuestions } from './gather-questions.ts';
import { labelOfInput } from './label-result.ts';
import { readLabel } from './label.ts';
import type { ReadFacts } from './read-facts.ts';
import { readFacts } from './read-facts.ts';

/** Pure and total: the same facts give the same value, and no facts throw. Of what could not be read, the answer is no. */
export function decide(facts: Facts): Decision {
  try {
    return judge(facts);
  } catch (error) {
    return failed(error);
  }
}

function judge(facts: Facts): Decision {
  const refusal =
    refuseByFeatureGate(facts) ??
    refuseByToolOffer(facts) ??
    refuseByToolLists(facts) ??
    refuseByMode(facts) ??
    refuseByOwnPermission(facts) ??
    refuseByDenyRules(facts) ??
    refuseByRoutingIntegrity(facts);
  if (refusal !== undefined) return refusal;

  const read = readFacts(facts);
  if ('effect' in read) return read;
  return answer(read);
}

/** Steps 7 (private words) to 11: every question is gathered, so that a person sees all of them; the first one names the step. */
function answer(facts: ReadFacts): Decision {
  const { questions, promoted, passed } = gatherQuestions(facts);
  const passable = { boundTo: bind(facts), resultLabel: facts.manifest.resultLabel, promoted };

  const first = questions[0];
  if (first === undefined) return { effect: 'allow', step: 'default_gate', reasons: [passed], ...passable };

  const standing = judgeStandingAnswers(facts, questions);
  if (standing !== undefined) {
    return { effect: 'allow', step: 'standing_answers', reasons: [standing.reason], rule: standing.rule, ...passable };
  }
  return ask(facts, first, questions, passable);
}

function ask(
  facts: ReadFacts,
  first: Question,
  questions: readonly Question[],
  passable: { boundTo: BoundCall; resultLabel: ReadFacts['manifest']['resultLabel']; promoted: readonly string[] },
): Decision {
  const reasons = questions.map((question) => question.reason);
  const rule = first.rule === undefined ? {} : { rule: first.rule };
  if (facts.personCanAnswer !== true) {
    const nobody = {
      code: 'nobody_to_ask',
      text: 'A person must decide this call and nobody can be asked here.',
    } as const;
    return { effect: 'deny', step: first.step, reasons: [nobody, ...reasons], ...rule };
  }
  const grantScope = offeredGrant(facts, questions);
  return {
    effect: 'ask',
    step: first.step,
    reasons,
    ...rule,
    ...passable,
    trustOutputOffered: isTrustOutputOffered(facts),
    ...(grantScope === undefined ? {} : { grantScope }),
    ...(isRememberable(facts, questions) ? { rememberable: true } : {}),
  };
}

/** D8: never for what a person answers each time, nor where nobody looks on and allow rules decide nothing. */
function isRememberable(facts: ReadFacts, questions: readonly Question[]): boolean {
  const { family, runsCode } = facts.manifest;
  const answers = questions.every(({ answerableBy }) => answerableBy !== 'person');
  return answers && family === 'Bash' && runsCode && facts.watched === true;
}

/** D1: never where untrusted files, references or words go in, because the output could say anything they say. */
function isTrustOutputOffered(facts: ReadFacts): boolean {
  return (
    facts.manifest.runsCode &&
    facts.manifest.resultLabel.kind === 'program_output' &&
    facts.inputs.every((input) => labelOfInput(input).integrity === 'trusted') &&
    facts.paths.every((path) => path.access === 'write' || path.trust === 'trusted') &&
    Object.keys(facts.arguments).every(
      (name) => name === 'why' || readLabel(facts.argumentLabels[name]).integrity === 'trusted',
    )
  );
}

function bind(facts: ReadFacts): BoundCall {
  return bindCall({
    tool: facts.manifest.name,
    arguments: facts.arguments,
    resolvedTargets: facts.resolvedTargets,
    paths: facts.paths as readonly PathFact[],
    policyVersion: facts.config.policyVersion,
    userId: facts.userId,
    conversationId: facts.conversationId,
  });
}

/** Only our own error's words are repeated: another error's text could carry an argument. */
function failed(error: unknown): Denied {
  const text =
    error instanceof NotCanonicalError
      ? `The call cannot be bound to an answer: it holds ${error.message}.`
      : 'The call could not be judged, so it is refused.';
  return { effect: 'deny', step: 'error', reasons: [{ code: 'evaluation_failed', text }] };
}
