/** Step 9: whether a result is text for the planner or a slot. Guarantees that only a trusted result becomes text; a yes to run must never by itself make output readable. */
import type { InputFact } from './facts.ts';
import type { Label } from './label.ts';
import { readLabel, taint, TRUSTED_PRIVATE, UNTRUSTED_PRIVATE } from './label.ts';
import type { ResultLabelRule } from './manifest.ts';
import type { PathTrust } from './trust-map.ts';
import { areAllVouched } from './trust-map.ts';

export interface ResultFacts {
  readonly rule: ResultLabelRule;
  /** Trust of every path the result shows (rule `paths`); of none, nothing is vouched for. */
  readonly paths: readonly (PathTrust | 'unknown')[];
  /** What went in (rule `taint`). */
  readonly inputs: readonly InputFact[];
  /** Every step was vouched for or proven (rule `program_output`). */
  readonly proven: boolean;
  /** A person answered this very call with a yes; absent: nobody did. */
  readonly approved?: boolean;
  /** The person answered "approve and let @bravo read the output". */
  readonly trustOutput: boolean;
  /** What the decision said: an answer that was never offered is no answer. */
  readonly trustOutputOffered: boolean;
  /** Kept out of the planner's sight whatever its label (a picture, a PDF). */
  readonly alwaysQuarantined: boolean;
}

export type LabelledResult =
  /** `released`: private content a person let out, so that the planner's words are private from here on. */
  | { readonly kind: 'text'; readonly label: Label; readonly released: boolean }
  | { readonly kind: 'slot'; readonly label: Label };

/** Labels a finished call's result and says where it goes. */
export function labelResult(facts: ResultFacts): LabelledResult {
  const released =
    (facts.rule.kind === 'program_output' && facts.trustOutput === true && facts.trustOutputOffered === true) ||
    (facts.rule.kind === 'released' && facts.approved === true);
  const label = released ? TRUSTED_PRIVATE : labelByRule(facts);
  if (facts.alwaysQuarantined || label.integrity !== 'trusted') return { kind: 'slot', label };
  return { kind: 'text', label, released };
}

/** The label of an input, at its worst where nobody could read it. */
export function labelOfInput(input: InputFact): Label {
  return readLabel(input.label);
}

function labelByRule(facts: ResultFacts): Label {
  switch (facts.rule.kind) {
    case 'fixed':
      return readLabel(facts.rule.label);
    case 'paths':
      return privateWhen(areAllVouched(facts.paths.map((trust) => (trust === 'unknown' ? 'unmentioned' : trust))));
    case 'program_output':
      return privateWhen(facts.proven === true);
    case 'released':
      // Without an answer it is what it was: text only where nothing of it was kept from the planner.
      return facts.inputs.length === 0 ? UNTRUSTED_PRIVATE : taint(facts.inputs.map(labelOfInput));
    case 'answered':
      return facts.approved === true
        ? { integrity: 'trusted', confidentiality: taint(facts.inputs.map(labelOfInput)).confidentiality }
        : UNTRUSTED_PRIVATE;
    case 'taint':
      return taint(facts.inputs.map(labelOfInput));
    default:
      return UNTRUSTED_PRIVATE;
  }
}

function privateWhen(trusted: boolean): Label {
  return trusted ? TRUSTED_PRIVATE : UNTRUSTED_PRIVATE;
}
