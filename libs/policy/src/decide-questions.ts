/** Steps 7 (D5) to 9 of a decision: what a person must be asked. Guarantees that a question says whether a standing answer may settle it; it must never settle one itself. */
import type { Reason, Step } from './decision.ts';
import { classOf, listCredentials, routingArguments } from './decide-refusals.ts';
import { labelOfInput } from './label-result.ts';
import { isAdmissible, readLabel } from './label.ts';
import type { ReadFacts } from './read-facts.ts';

/** Who may settle a question besides a person answering it now. */
export type AnswerableBy =
  | 'person'
  /** A rule that names this exact value, made by a person for it. */
  | 'exact_rule'
  /** A grant or an allow rule. */
  | 'standing_answer';

export interface Question {
  readonly step: Step;
  readonly reason: Reason;
  readonly answerableBy: AnswerableBy;
  readonly rule?: string;
}

/**
 * D5, for routing words made private by what the planner holds: a read that cannot leave the workspace is let through and
 * recorded; anything else is a person's to endorse, each time where it leaves.
 */
export function judgePrivateRouting(facts: ReadFacts): { questions: readonly Question[]; promoted: readonly string[] } {
  const { manifest } = facts;
  const names = routingArguments(manifest, facts.arguments).filter(
    (name) => !isAdmissible('routing', readLabel(facts.argumentLabels[name])),
  );
  if (names.length === 0) return { questions: [], promoted: [] };
  if (manifest.effect === 'read' && manifest.confined && !manifest.external && manifest.origin === 'first_party') {
    return { questions: [], promoted: names };
  }
  const leaves = manifest.external || manifest.origin !== 'first_party';
  const text = leaves
    ? `The agent has seen private content and now names ${list(names)} of a call that leaves the platform. Check that the exact value gives nothing away.`
    : `The agent has seen private content and now names ${list(names)}. Check the exact value.`;
  const question: Question = {
    step: 'routing_integrity',
    reason: { code: 'routing_private', text },
    answerableBy: leaves ? 'person' : 'exact_rule',
  };
  return { questions: [question], promoted: [] };
}

/** Step 8: the conditions no rule and no grant answers. */
export function judgeAlwaysAsk(facts: ReadFacts): readonly Question[] {
  const { manifest } = facts;
  const privateInput = facts.inputs.some((input) => labelOfInput(input).confidentiality === 'private');
  const questions: Question[] = [];
  const add = (code: Reason['code'], text: string): void => {
    questions.push({ step: 'always_ask', reason: { code, text }, answerableBy: 'person' });
  };
  if (manifest.runsCode && privateInput)
    add('private_input_to_run', 'Private files or references go into this program.');
  if (manifest.origin === 'foreign' && (privateInput || hasPrivateArgument(facts))) {
    add('private_data_to_foreign_tool', 'Private content would be sent to a tool of another provider.');
  }
  if (facts.writesThroughReference) {
    add(
      'write_through_reference',
      'The agent writes through a reference and has not seen what is behind it. You can look at it first.',
    );
  }
  if (manifest.resultLabel.kind === 'released' && facts.inputs.some(isQuarantined))
    add(
      'release',
      'The agent asks to read what is kept from it. Read it first: your yes shows it to the agent as text.',
    );
  if (manifest.resultLabel.kind === 'answered' && !facts.answeredBefore)
    add('question', 'The agent asks you something.');
  if (manifest.runsCode && facts.paths.some(({ access }) => access === 'write'))
    add('program_writes_file', 'The line creates or replaces a file. Check which one.');
  const held = (at: 'given' | 'shown') => facts.credentials.filter((one) => one.at === at);
  if (held('given').length > 0)
    add(
      'credential_given',
      `The call holds ${listCredentials(held('given'))}, or what looks like it. Check that it may be written down.`,
    );
  if (held('shown').length > 0)
    add(
      'credential_shown',
      `What the agent would read holds ${listCredentials(held('shown'))}. Your yes shows it to the agent and to the model it asks.`,
    );
  if (facts.assignsEnvironment) add('environment_assignment', 'The line sets environment variables for the program.');
  return questions;
}

/** What the agent may read already is not asked about: only its length kept it out. */
const isQuarantined = (input: ReadFacts['inputs'][number]): boolean => labelOfInput(input).integrity !== 'trusted';

/** Step 9: `ask` rules, which hold whatever was granted, then `require_approval`, which a standing answer may settle. */
export function judgeAskRules(facts: ReadFacts): readonly Question[] {
  const byRule = facts.rules.ask.map((hit): Question => ({
    step: 'ask_rules',
    reason: { code: 'ask_rule', text: `The ${hit.layer} rule "${hit.rule}" asks before this call.` },
    answerableBy: 'person',
    rule: hit.rule,
  }));
  if (!facts.config.requireApproval.includes(facts.manifest.name)) return byRule;
  const required: Question = {
    step: 'ask_rules',
    reason: { code: 'approval_required', text: `This workspace asks a person before every ${facts.manifest.name}.` },
    answerableBy: 'standing_answer',
  };
  return [...byRule, required];
}

/** `why` counts too: it is sent along, and the planner could put anything in it. */
function hasPrivateArgument(facts: ReadFacts): boolean {
  return Object.keys(facts.arguments).some(
    (name) => readLabel(facts.argumentLabels[name]).confidentiality === 'private',
  );
}

/** Labels of what the call carries: its content arguments and inputs, without the planner's remark to the person. */
export function contentLabels(facts: ReadFacts) {
  const given = Object.keys(facts.arguments).filter(
    (name) => name !== 'why' && classOf(facts.manifest, name) === 'content',
  );
  return [...given.map((name) => readLabel(facts.argumentLabels[name])), ...facts.inputs.map(labelOfInput)];
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
