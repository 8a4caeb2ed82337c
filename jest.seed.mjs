/**
 * The seed of every property test of one run. It is the same in every run unless `BRAVO_SEED` says otherwise, so that a change
 * is judged by itself and not by luck; `BRAVO_SEED=random` looks for what no run has seen yet, and prints what it took.
 */
const EVERY_RUN = 58;

/** A whole number, 32 bits. Must be read in the first process: workers inherit what it chose. */
export function chooseSeed() {
  const given = process.env.BRAVO_SEED ?? String(EVERY_RUN);
  const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  if (!/^-?\d+$/.test(given) && given !== 'random')
    throw new Error(`BRAVO_SEED is "${given}". Give a whole number, or "random".`);
  process.env.BRAVO_SEED = String(seed | 0);
  return seed | 0;
}

/** Jest's global setup: once per run, also where nothing fails. */
export default function printSeed() {
  process.stderr.write(`properties with seed ${process.env.BRAVO_SEED} (BRAVO_SEED=<number>|random for another)\n`);
}
