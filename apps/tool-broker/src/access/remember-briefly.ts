/** Answers kept for less than a second and shared by callers who ask at once; a failure is never kept. */

/** A role change or a revoked token must hold on the next call, so this may never be longer. */
const LONGEST_MS = 1_000;

export interface Remembered<T> {
  (key: string): Promise<T>;
  /** Everything is asked for anew from here on. */
  forget(): void;
}

export const rememberBriefly = <T>(
  ask: (key: string) => Promise<T>,
  { ttlMs = 900, capacity = 5_000, now = Date.now }: { ttlMs?: number; capacity?: number; now?: () => number } = {},
): Remembered<T> => {
  if (ttlMs > LONGEST_MS) throw new Error(`Answers about access may be kept for ${LONGEST_MS} ms at most.`);
  const kept = new Map<string, { readonly answer: Promise<T>; readonly until: number }>();
  const recall = (key: string): Promise<T> => {
    const at = now();
    const found = kept.get(key);
    if (found !== undefined && found.until > at) return found.answer;
    // Counted from the question, not from the answer: what identity read may be as old as that.
    const answer = ask(key);
    kept.delete(key);
    kept.set(key, { answer, until: at + ttlMs });
    answer.catch(() => {
      if (kept.get(key)?.answer === answer) kept.delete(key);
    });
    if (kept.size > capacity) kept.delete(kept.keys().next().value!);
    return answer;
  };
  return Object.assign(recall, { forget: () => kept.clear() });
};
