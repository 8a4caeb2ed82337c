/** Waits for something that another process brings about; fails with what it last saw. */
export const eventually = async <T>(what: string, look: () => Promise<T | undefined | false>, patienceMs = 30_000): Promise<T> => {
  const deadline = Date.now() + patienceMs;
  let last: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMs} ms for ${what}; last saw ${last instanceof Error ? last.message : JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
};
