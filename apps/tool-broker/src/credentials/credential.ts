/** Something in a text that looks like a credential. Its own text goes no further than where it is turned into a fingerprint. */

/**
 * `declared`: its shape says what it is, as a provider's prefix or a password in a URL does. `inferred`: it is called a secret and
 * looks like one, or the text could not be looked through.
 */
export type Certainty = 'declared' | 'inferred';

export interface FoundCredential {
  /** What it looks like, in words of ours. */
  readonly kind: string;
  readonly certainty: Certainty;
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
}

export interface CredentialScanner {
  /** In their order, none over another. Total: a text that cannot be looked through is one finding as long as itself. */
  scan(text: string): Promise<readonly FoundCredential[]>;
}

/** Past this many UTF-16 units nobody looks: the text is then treated as one that holds a credential. */
export const MOST_SCANNED = 4 * 1024 * 1024;

export const unscanned = (text: string, why: string): readonly FoundCredential[] => [
  { kind: `text that ${why}`, certainty: 'inferred', start: 0, end: text.length },
];
