/**
 * Puts together what is asked for while an earlier asking is still out: one trip to the database for all that came
 * meanwhile. What comes alone goes at once, nothing waits for company, and what is asked for one key never meets another's.
 */

/** Items of one trip; what came beyond it goes with the next. */
const MOST = 100;

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** `run` answers for each item in their order; where it fails, all of that trip fail. */
export const createBatches = <In, Out>(
  keyOf: (item: In) => string,
  run: (items: readonly [In, ...In[]]) => Promise<readonly Out[]>,
): ((item: In) => Promise<Out>) => {
  const waiting = new Map<string, Waiting<In, Out>[]>();

  const drain = async (key: string, queue: Waiting<In, Out>[]): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST);
      const [first, ...rest] = batch.map(({ item }) => item);
      if (first === undefined) break;
      try {
        const outs = await run([first, ...rest]);
        batch.forEach(({ resolve }, index) => resolve(outs[index] as Out));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    waiting.delete(key);
  };

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      const key = keyOf(item);
      const queue = waiting.get(key);
      const entry = { item, resolve, reject };
      if (queue) return void queue.push(entry);
      const fresh = [entry];
      waiting.set(key, fresh);
      // After this turn of the loop, so that all who came in it go together.
      setImmediate(() => void drain(key, fresh));
    });
};
