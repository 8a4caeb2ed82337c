/** What `decide` answers. Guarantees that an answer says what decided and why, in words a person can read; it must never hold a secret or content. */
import type { JsonObject } from './json.ts';
import type { ResultLabelRule } from './manifest.ts';
import type { Mode } from './permissions.ts';

/** The steps of containment.md in their order; `error` where judging itself failed. */
export const STEPS = [
  'feature_gate',
  'tool_offered',
  'tool_lists',
  'mode_ceiling',
  'own_permission',
  'deny_rules',
  'routing_integrity',
  'always_ask',
  'ask_rules',
  'standing_answers',
  'default_gate',
] as const;

export type Step = (typeof STEPS)[number] | 'error';

export const REASON_CODES = [
  'feature_off',
  'feature_unreadable',
  'config_unreadable',
  'bravo_disabled',
  'tool_unknown',
  'tool_not_offered',
  'conversation_unbound',
  'argument_unclassified',
  'tool_denied',
  'tool_not_allowed',
  'code_execution_off',
  'mode_unreadable',
  'mode_too_low',
  'permissions_unreadable',
  'permission_missing',
  'rules_unreadable',
  'deny_rule',
  'context_unreadable',
  'context_fallen',
  'routing_untrusted',
  'routing_private',
  'edit_untrusted',
  'wrong_destination',
  'content_private',
  'facts_unreadable',
  'credential_declared',
  'credential_given',
  'credential_shown',
  'private_input_to_run',
  'private_data_to_foreign_tool',
  'write_through_reference',
  'release',
  'question',
  'environment_assignment',
  'program_writes_file',
  'ask_rule',
  'approval_required',
  'destructive',
  'write_taints_path',
  'write_new_path',
  'default_gate',
  'host_reached',
  'grant',
  'allow_rule',
  'no_gate',
  'nobody_to_ask',
  'evaluation_failed',
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

export interface Reason {
  readonly code: ReasonCode;
  /** One sentence for the person or the agent. */
  readonly text: string;
}

/** The canonical call of D2: everything an approval covers. `why` is not in it. */
export interface CanonicalCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly targets: JsonObject;
  /** Path to revision; null where nothing was there. */
  readonly revisions: JsonObject;
  readonly policyVersion: string;
  /** Version of the way questions are drawn: a person agreed to what that drawing shows. */
  readonly rendering: number;
  readonly user: string;
  readonly conversation: string;
}

export interface BoundCall {
  readonly call: CanonicalCall;
  /** SHA-256 of the canonical JSON of `call`, lowercase hex. */
  readonly digest: string;
}

interface Answer {
  /** The step that decided. */
  readonly step: Step;
  /** Of an ask: everything a person is asked about, the deciding reason first. */
  readonly reasons: readonly Reason[];
  /** The rule or grant that decided, as written. */
  readonly rule?: string;
}

export interface StepUp {
  readonly requiredMode: Mode;
  /** What a grant for exactly this call would cover; absent where none could be given for it. */
  readonly grantScope?: JsonObject;
}

export interface Denied extends Answer {
  readonly effect: 'deny';
  /** The mode that would admit the call, where only the mode stood in the way. */
  readonly stepUp?: StepUp;
}

/** What goes on with a call that may happen, now or after a yes. */
interface Passable extends Answer {
  /** What an approval covers; also what the trail names the call by. */
  readonly boundTo: BoundCall;
  readonly resultLabel: ResultLabelRule;
  /** Private routing words of a confined read were let through (D5): record it. */
  readonly promoted: readonly string[];
}

export interface Allowed extends Passable {
  readonly effect: 'allow';
}

export interface Asked extends Passable {
  readonly effect: 'ask';
  /** Whether "approve and let @bravo read the output" may be offered (D1). */
  readonly trustOutputOffered: boolean;
  /** What a grant given with the yes would cover; absent where no grant may answer this call (D4). */
  readonly grantScope?: JsonObject;
  /** A line of programs whose every question a rule that names it exactly would answer (D8). */
  readonly rememberable?: true;
}

export type Decision = Denied | Allowed | Asked;
