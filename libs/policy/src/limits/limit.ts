/** What a limit is and what happens past it. Guarantees that an amount is accepted only inside its bounds; it must never let through one that is no number. */

/** `truncate+say`: the answer is cut and says so. `other`: what the row's sentence tells. */
export type PastLimit = 'refuse' | 'clamp' | 'truncate+say' | 'other';

export interface Limit {
  /** The tool, or the tools separated by commas, or the area. */
  readonly area: string;
  /** What is counted. */
  readonly name: string;
  /** The largest accepted amount; for a row that is `atLeast`, the smallest. */
  readonly value: number;
  readonly unit: string;
  /** The smallest accepted amount, where there is one. */
  readonly min?: number;
  /** What holds when nobody says; where absent and the amount is one somebody names, `value` does. */
  readonly default?: number;
  /** The bound is a floor: amounts below `value` are the ones past it. */
  readonly atLeast?: true;
  readonly past: PastLimit;
  /** What follows, for a person. Every row that is `other` has it. */
  readonly pastText?: string;
}

export type LimitVerdict =
  | { readonly outcome: 'accept' | 'clamp' | 'truncate+say'; readonly effective: number }
  | { readonly outcome: 'refuse' | 'other' };

/**
 * What becomes of `given`. A clamped or cut amount comes back as the bound it went past.
 * An amount that is no finite number is refused whatever the row says: nothing can be cut to it.
 */
export function applyLimit(limit: Limit, given: number): LimitVerdict {
  if (!Number.isFinite(given)) return { outcome: 'refuse' };
  const floor = limit.atLeast ? limit.value : limit.min;
  const ceiling = limit.atLeast ? undefined : limit.value;
  const bound =
    floor !== undefined && given < floor ? floor : ceiling !== undefined && given > ceiling ? ceiling : undefined;
  if (bound === undefined) return { outcome: 'accept', effective: given };
  if (limit.past === 'refuse' || limit.past === 'other') return { outcome: limit.past };
  return { outcome: limit.past, effective: bound };
}

/** The amount in force when a caller names one, or names none. Undefined where the amount is refused. */
export function amountWithin(limit: Limit, given: number | undefined): number | undefined {
  if (given === undefined) return limit.default ?? limit.value;
  const verdict = applyLimit(limit, given);
  return 'effective' in verdict ? verdict.effective : undefined;
}
