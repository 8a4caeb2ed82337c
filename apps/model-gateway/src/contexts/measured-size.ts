/** How a conversation's estimates compare with what its provider counted: an estimate that was measured once is not far off the next time. */

export interface MeasuredSizes {
  /** What a usual token is there. Nothing measured: more than usual, since a request that is too large is worse than one shortened early. */
  factor(conversationId: string, model: string): number;
  measure(conversationId: string, model: string, estimated: number, counted: number): void;
}

const UNMEASURED = 4 / 3;
const LEAST = 0.5;
const MOST = 4;
const MOST_KEPT = 2_000;

export function createMeasuredSizes(): MeasuredSizes {
  const factors = new Map<string, number>();
  const keyOf = (conversationId: string, model: string): string => `${conversationId} ${model}`;
  return {
    factor: (conversationId, model) => factors.get(keyOf(conversationId, model)) ?? UNMEASURED,
    measure: (conversationId, model, estimated, counted) => {
      if (estimated < 1 || counted < 1) return;
      const key = keyOf(conversationId, model);
      factors.delete(key);
      factors.set(key, Math.min(MOST, Math.max(LEAST, counted / estimated)));
      if (factors.size > MOST_KEPT) factors.delete(factors.keys().next().value ?? '');
    },
  };
}
