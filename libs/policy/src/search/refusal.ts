/** Why a search pattern is refused. Guarantees a reason from a closed list and a sentence that says what to do; it must never repeat the whole pattern. */

export type PatternRefusalReason =
  'lookaround' | 'named-group' | 'flag' | 'backreference' | 'too-long' | 'too-deep' | 'malformed';

export interface PatternRefusal {
  readonly reason: PatternRefusalReason;
  readonly text: string;
  /** Which pattern of the list, from 0. */
  readonly pattern: number;
  /** Where in it, in characters from 0. */
  readonly at: number;
}

/** Ends the reading of one pattern; never leaves this folder. */
export class PatternRefused extends Error {
  override readonly name = 'PatternRefused';
  readonly reason: PatternRefusalReason;
  readonly at: number;
  constructor(reason: PatternRefusalReason, at: number, text: string) {
    super(text);
    this.reason = reason;
    this.at = at;
  }
}
