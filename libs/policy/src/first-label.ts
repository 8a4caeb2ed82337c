/** The label a value has when it first appears, by where it came from. Guarantees that every source has a row; a new source must never go without one. */
import type { ContextState } from './context.ts';
import { plannerWords } from './context.ts';
import type { Integrity, Label } from './label.ts';
import { taint, TRUSTED_PRIVATE, TRUSTED_PUBLIC, UNTRUSTED_PRIVATE, UNTRUSTED_PUBLIC } from './label.ts';
import type { PathTrust } from './trust-map.ts';
import { areAllVouched } from './trust-map.ts';

export type Source =
  | { readonly kind: 'workspace_file'; readonly trust: PathTrust }
  /** A listing or a search: as trusted as every path in it. */
  | { readonly kind: 'path_names'; readonly trusts: readonly PathTrust[] }
  | { readonly kind: 'program_output'; readonly everyStepVouchedOrProven: boolean }
  /** A program that only passes on what it is given. */
  | { readonly kind: 'pure_filter'; readonly inputs: readonly Label[] }
  | { readonly kind: 'piped_input' }
  | { readonly kind: 'fetched_page' }
  | { readonly kind: 'foreign_tool_result' }
  /** An admin read and accepted the upstream's list of tools. */
  | { readonly kind: 'accepted_tool_list' }
  | { readonly kind: 'own_configuration' }
  /** A program line the person typed: theirs, and nobody else's business. */
  | { readonly kind: 'typed_line' }
  /** As private as the questions it answers. */
  | { readonly kind: 'typed_answer'; readonly questions: readonly Label[] }
  | { readonly kind: 'planner_words'; readonly context: ContextState }
  | { readonly kind: 'processor_output'; readonly inputs: readonly Label[] }
  /** Bytes a person looked at and let through: a new value, whose slot keeps its own label. */
  | { readonly kind: 'vouched_bytes' }
  /** A message from another process that carried no label. */
  | { readonly kind: 'unlabelled' };

export function firstLabel(source: Source): Label {
  switch (source.kind) {
    case 'workspace_file':
      return privateWith(source.trust === 'trusted');
    case 'path_names':
      return privateWith(areAllVouched(source.trusts));
    case 'program_output':
      return privateWith(source.everyStepVouchedOrProven);
    case 'pure_filter':
    case 'processor_output':
      return taint(source.inputs);
    case 'fetched_page':
      return UNTRUSTED_PUBLIC;
    case 'accepted_tool_list':
    case 'own_configuration':
      return TRUSTED_PUBLIC;
    case 'typed_line':
    case 'vouched_bytes':
      return TRUSTED_PRIVATE;
    case 'typed_answer':
      return { integrity: 'trusted', confidentiality: taint(source.questions).confidentiality };
    case 'planner_words':
      return plannerWords(source.context);
    case 'piped_input':
    case 'foreign_tool_result':
    case 'unlabelled':
      return UNTRUSTED_PRIVATE;
  }
}

/**
 * The label of what a capability observes by itself, before any trust map is asked. Nothing for one that only writes; an unknown
 * capability observes at the worst label.
 */
export function capabilityLabel(capability: string): Label | undefined {
  switch (capability) {
    case 'file_write':
    case 'git_write':
      return undefined;
    case 'web_fetch':
      return UNTRUSTED_PUBLIC;
    default:
      return UNTRUSTED_PRIVATE;
  }
}

/** Naming or dropping a file vouches for its integrity and says nothing about who may see it. */
export const INTEGRITY_OF_NAMED_FILE: Integrity = 'trusted';

function privateWith(trusted: boolean): Label {
  return trusted ? TRUSTED_PRIVATE : UNTRUSTED_PRIVATE;
}
