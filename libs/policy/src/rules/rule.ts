/** One permission rule as data. Guarantees that every rule is one of five families; it must never hold what a file or a program said. */
import type { ReadPath } from './path-pattern.ts';
import type { TextPattern } from './text-pattern.ts';

export const RULE_FAMILIES = ['Read', 'Edit', 'Bash', 'WebFetch', 'Mcp'] as const;
export type RuleFamily = (typeof RULE_FAMILIES)[number];

export const RULE_LISTS = ['deny', 'ask', 'allow'] as const;
export type RuleList = (typeof RULE_LISTS)[number];

export type RuleTarget =
  /** Every use of the family. */
  | { readonly kind: 'everything' }
  /** `(*)` on a path: everything where it restricts, every relative path where it grants. */
  | { readonly kind: 'path'; readonly path: ReadPath; readonly everythingLoose: boolean }
  /** The texts of a step that fit, its words joined by single spaces. */
  | { readonly kind: 'command'; readonly patterns: readonly TextPattern[]; readonly exact: boolean }
  | { readonly kind: 'host'; readonly host: string }
  /** A server's tools, or the one named. */
  | { readonly kind: 'tool'; readonly server: string; readonly tool: string | undefined };

export interface Rule {
  readonly family: RuleFamily;
  readonly target: RuleTarget;
}

export type UnreadableCode =
  | 'not_text'
  | 'empty'
  | 'too_long'
  | 'unprintable'
  | 'unclosed_bracket'
  | 'unknown_family'
  | 'empty_brackets'
  | 'no_anchor'
  | 'not_a_domain'
  | 'not_a_tool';

/** Why an entry of a list is no rule. */
export interface Unreadable {
  readonly code: UnreadableCode;
  /** For a person: what is wrong and what to write instead. */
  readonly text: string;
}

export type ReadRule = { readonly rule: Rule } | { readonly unreadable: Unreadable };
