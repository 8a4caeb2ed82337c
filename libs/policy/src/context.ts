/** What the planner has been shown so far. Guarantees that integrity only falls and privacy only rises; it must never be reset by a read that stayed quarantined. */
import type { Integrity, Label } from './label.ts';

export interface ContextState {
  readonly integrity: Integrity;
  /** Private content was released into it, so its words are private from then on. */
  readonly holdsPrivate: boolean;
}

export const FRESH_CONTEXT: ContextState = Object.freeze({ integrity: 'trusted', holdsPrivate: false });

/** Reads a stored context. Whatever is not exactly the good word is read as fallen, as holding private content. */
export function readContext(value: unknown): ContextState {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return {
    integrity: found['integrity'] === 'trusted' ? 'trusted' : 'untrusted',
    holdsPrivate: found['holdsPrivate'] !== false,
  };
}

/** The label of the words the planner writes now. */
export function plannerWords(context: ContextState): Label {
  return { integrity: context.integrity, confidentiality: context.holdsPrivate ? 'private' : 'public' };
}

/**
 * The context after `shown` was put before the planner as text. `released` says that it came out of quarantine by a person's yes;
 * an ordinary read of a vouched workspace file is private too, but does not make the planner's words private.
 */
export function contextAfterShowing(context: ContextState, shown: Label, released: boolean): ContextState {
  return {
    integrity: shown.integrity === 'trusted' ? context.integrity : 'untrusted',
    holdsPrivate: context.holdsPrivate || (released && shown.confidentiality === 'private'),
  };
}

/** What a delegate starts with: its parent's context, never a better one. */
export function contextOfDelegate(parent: ContextState): ContextState {
  return { integrity: parent.integrity, holdsPrivate: parent.holdsPrivate };
}
