/** What would change an answer, in one sentence for each kind of reason. Guarantees that every reason has one; it must never promise what a later step could still refuse. */
import type { Reason, ReasonCode } from './decision.ts';

const UNREADABLE = 'Try again; if it stays so, tell the operator: what cannot be read is refused.';
const SWITCHED = 'The operator or an admin would have to switch it on.';
const LISTED = "An admin would have to change the tool lists in the workspace's configuration.";
const PERSON = 'A person answers it each time; no rule and no grant does.';
const STANDING = 'An allow rule or a grant that covers the call would answer it.';
const OTHER_CALL = 'Nothing: make another call.';
const REFERRED = 'Use spawn_processor, and write what it answers to the file it was about.';
const FALLEN = 'Take the step yourself, or go on in a new conversation.';

const ADVICE: Readonly<Record<ReasonCode, string>> = {
  feature_off: SWITCHED,
  feature_unreadable: UNREADABLE,
  config_unreadable: UNREADABLE,
  bravo_disabled: SWITCHED,
  tool_unknown: OTHER_CALL,
  tool_not_offered: OTHER_CALL,
  conversation_unbound: FALLEN,
  argument_unclassified: OTHER_CALL,
  tool_denied: LISTED,
  tool_not_allowed: LISTED,
  code_execution_off: SWITCHED,
  mode_unreadable: UNREADABLE,
  mode_too_low: 'A higher mode of the conversation would let it through, or a grant for exactly this.',
  permissions_unreadable: UNREADABLE,
  permission_missing: 'An admin would have to give you a role that holds the permission.',
  rules_unreadable: UNREADABLE,
  deny_rule: 'The rule would have to go from that layer, or be narrowed; no other rule, grant or answer overrides it.',
  context_unreadable: UNREADABLE,
  context_fallen: FALLEN,
  routing_untrusted: FALLEN,
  routing_private: PERSON,
  facts_unreadable: UNREADABLE,
  credential_declared:
    'Leave the credential out and name where it is kept: no rule, grant or answer lets an agent write one down.',
  credential_given: PERSON,
  credential_shown: PERSON,
  private_input_to_run: PERSON,
  private_data_to_foreign_tool: PERSON,
  write_through_reference: PERSON,
  release: PERSON,
  question: PERSON,
  edit_untrusted: REFERRED,
  wrong_destination: REFERRED,
  content_private: OTHER_CALL,
  environment_assignment: PERSON,
  program_writes_file: PERSON,
  ask_rule: 'The rule would have to go from that layer, or be narrowed; until then a person answers each time.',
  approval_required: STANDING,
  destructive: PERSON,
  write_taints_path: STANDING,
  write_new_path: STANDING,
  default_gate: STANDING,
  host_reached:
    'Check that this is the host you mean; where it should not be asked about, write a WebFetch rule that names it.',
  grant: 'Without the grant a person would be asked.',
  allow_rule: 'Without the rule a person would be asked; a deny or an ask rule on any layer goes before it.',
  no_gate: 'A deny or an ask rule on any layer would refuse it or have it asked.',
  nobody_to_ask: 'Somebody who can answer would have to be there.',
  evaluation_failed: UNREADABLE,
};

/** Each sentence once, in the order of the reasons. */
export function adviceFor(reasons: readonly Reason[]): readonly string[] {
  return [...new Set(reasons.map(({ code }) => ADVICE[code]))];
}
