/** The lattice of labels. Guarantees that nothing here makes a value more trusted or more public than it came; it must never read a missing label as a good one. */

export type Integrity = 'trusted' | 'untrusted';
export type Confidentiality = 'public' | 'private';

export interface Label {
  readonly integrity: Integrity;
  readonly confidentiality: Confidentiality;
}

/** How a value is used: where an effect lands, what it carries, or what somebody decides from. */
export type FieldUse = 'routing' | 'content' | 'decision';

export const TRUSTED_PUBLIC: Label = Object.freeze({ integrity: 'trusted', confidentiality: 'public' });
export const TRUSTED_PRIVATE: Label = Object.freeze({ integrity: 'trusted', confidentiality: 'private' });
export const UNTRUSTED_PUBLIC: Label = Object.freeze({ integrity: 'untrusted', confidentiality: 'public' });
export const UNTRUSTED_PRIVATE: Label = Object.freeze({ integrity: 'untrusted', confidentiality: 'private' });

/**
 * The order of the lattice (untrusted below trusted, public below private), for ceilings only: a trusted value demands a
 * trusted place, a public place demands a public value. It holds from (untrusted, private) to (trusted, private), so
 * relabelling by it would launder; that is what {@link degradesTo} is for.
 */
export function flowsTo(from: Label, to: Label): boolean {
  return (
    (from.integrity === 'untrusted' || to.integrity === 'trusted') &&
    (to.confidentiality === 'private' || from.confidentiality === 'public')
  );
}

/** Whether `to` is `from` with trust or publicity given up, or `from` itself. */
export function degradesTo(from: Label, to: Label): boolean {
  return (
    (from.integrity === 'trusted' || to.integrity === 'untrusted') &&
    (from.confidentiality === 'public' || to.confidentiality === 'private')
  );
}

/** The only way to relabel: `to` where {@link degradesTo} holds, otherwise nothing. */
export function relabel(from: Label, to: Label): Label | undefined {
  return degradesTo(from, to) ? to : undefined;
}

/** The label of what was made from `inputs`: one untrusted makes it untrusted, one private makes it private. Of nothing: (trusted, public). */
export function taint(inputs: Iterable<Label>): Label {
  let integrity: Integrity = 'trusted';
  let confidentiality: Confidentiality = 'public';
  for (const input of inputs) {
    if (input.integrity !== 'trusted') integrity = 'untrusted';
    if (input.confidentiality !== 'public') confidentiality = 'private';
  }
  return { integrity, confidentiality };
}

/** Reads a label that came from outside. Each half that is missing or is not exactly a known word is read as untrusted, as private. */
export function readLabel(value: unknown): Label {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return {
    integrity: found['integrity'] === 'trusted' ? 'trusted' : 'untrusted',
    confidentiality: found['confidentiality'] === 'public' ? 'public' : 'private',
  };
}

/** Whether a value may be used so without anybody being asked: routing takes only (trusted, public), a decision only trusted values, content any. */
export function isAdmissible(use: FieldUse, label: Label): boolean {
  switch (use) {
    case 'routing':
      return label.integrity === 'trusted' && label.confidentiality === 'public';
    case 'decision':
      return label.integrity === 'trusted';
    case 'content':
      return true;
  }
}
