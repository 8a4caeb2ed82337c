/** A seeded source of choices: the same seed gives the same choices on every machine; never for secrets. */

export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** A 32-bit xorshift after a mixing of the seed, so that neighbouring seeds share no beginning. */
export const createRandom = (seed: number): Random => {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ 0xc2b2ae35) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  for (let warmUp = 0; warmUp < 8; warmUp += 1) next();
  const below = (limit: number): number => next() % limit;
  return {
    below,
    pick: (choices) => {
      if (choices.length === 0) throw new Error('nothing to pick from');
      return choices[below(choices.length)]!;
    },
  };
};
