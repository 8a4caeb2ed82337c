/** Runs each background round again and again, never two of one kind at once; a round that fails is said once and runs again. */

export interface Round {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown>;
}

export type RoundLog = (message: string, about: Readonly<Record<string, unknown>>) => void;

/** @returns stop, which resolves when the rounds in hand have ended. */
export const startRounds = (log: RoundLog, rounds: readonly Round[]): { stop(): Promise<void> } => {
  let stopped = false;
  const wakes = new Set<() => void>();
  const loop = async ({ name, everyMs, run }: Round): Promise<void> => {
    let failing = false;
    while (!stopped) {
      try {
        await run();
        failing = false;
      } catch (err) {
        if (!failing && !stopped) log('a background round failed; it runs again', { round: name, err });
        failing = true;
      }
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          wakes.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, everyMs);
        wakes.add(wake);
      });
    }
  };
  const done = rounds.map(loop);
  return {
    stop: async () => {
      stopped = true;
      for (const wake of wakes) wake();
      await Promise.all(done);
    },
  };
};
