/** How long and how often is waited for a provider. Every number is a setting of the operator; none is ever without an end. */

export interface Patience {
  /** Until the first sign of life of an answer, the connection included. */
  readonly firstTokenMs: number;
  /** Between two signs of life after the first. */
  readonly idleMs: number;
  /** Further attempts of one call, while nothing of its answer was told. */
  readonly maxRetries: number;
  /** A provider that wants to be left alone for longer than this is not waited for. */
  readonly maxRetryAfterMs: number;
  /** Base of the exponential pause between attempts, which is drawn at random below it. */
  readonly pauseMs: number;
  /** Failed calls in a row after which a provider is left alone. */
  readonly breakAfter: number;
  /** How long it then is. */
  readonly breakMs: number;
}

export const PATIENCE: Patience = {
  firstTokenMs: 120_000,
  idleMs: 60_000,
  maxRetries: 2,
  maxRetryAfterMs: 10_000,
  pauseMs: 400,
  breakAfter: 5,
  breakMs: 10_000,
};
