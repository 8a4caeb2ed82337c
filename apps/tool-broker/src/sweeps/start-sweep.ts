/** The broker's regular round: expires questions, brings calls of dead processes to their end, asks for turns and publishes what was left behind. Every step may run on every replica. */

export interface SweepSteps {
  readonly steps: Readonly<Record<string, () => Promise<unknown>>>;
  readonly onError: (step: string, error: unknown) => void;
  readonly everyMs: number;
}

/** @returns stop, which resolves when the round in hand has ended. */
export const startSweep = ({ steps, onError, everyMs }: SweepSteps): { stop(): Promise<void> } => {
  let stopped = false;
  let wake: () => void = () => undefined;
  const round = async (): Promise<void> => {
    for (const [name, step] of Object.entries(steps)) {
      if (stopped) return;
      await step().catch((error: unknown) => onError(name, error));
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await round();
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const done = loop();
  return {
    stop: async () => {
      stopped = true;
      wake();
      await done;
    },
  };
};
