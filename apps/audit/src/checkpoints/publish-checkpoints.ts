/** Brings the newest checkpoint of every log to every place outside. Guarantees that one place that is away holds up no other and misses nothing in the end; it must never give up. */
import type { CheckpointSink, Deliveries } from './checkpoint-sink.port.ts';

export interface PublishCheckpointsOptions {
  readonly sinks: readonly CheckpointSink[];
  readonly deliveries: Deliveries;
  readonly onFailure: (sink: string, error: unknown, failingForMs: number) => void;
  /** How often to look for what nobody nudged about. */
  readonly lookMs?: number;
  /** How often at most a place is brought the log that tells of it; 10 minutes unless said. */
  readonly echoMs?: number;
}

export interface CheckpointPublisher {
  /** A checkpoint was signed. */
  nudge(): void;
  /** Since when each place has not taken what there is, in seconds; 0 where it has. */
  lag(): readonly { readonly sink: string; readonly seconds: number }[];
  /** One more round to every place, then ends. */
  stop(): Promise<void>;
}

const LONGEST_PAUSE_MS = 30_000;
const ECHO_MS = 10 * 60_000;

export const startPublishCheckpoints = (options: PublishCheckpointsOptions): CheckpointPublisher => {
  const loops = options.sinks.map((sink) => startLoop(sink, options));
  return {
    nudge: () => loops.forEach((loop) => loop.nudge()),
    lag: () => loops.map((loop) => ({ sink: loop.name, seconds: loop.failingForMs() / 1_000 })),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
};

const startLoop = (
  sink: CheckpointSink,
  { deliveries, onFailure, lookMs = 30_000, echoMs = ECHO_MS }: PublishCheckpointsOptions,
) => {
  let echoedAt = -Infinity;
  let stopped = false;
  let nudged = false;
  let wake: () => void = () => undefined;
  let failingSince: number | undefined;
  let failures = 0;
  const failingForMs = (): number => (failingSince === undefined ? 0 : performance.now() - failingSince);

  const round = async (): Promise<void> => {
    try {
      let failed: unknown;
      for (const { before, ...checkpoint } of await deliveries.pending(sink.name)) {
        const echoes = checkpoint.workspaceId === sink.echoesIn;
        if (echoes && performance.now() - echoedAt < echoMs) continue;
        try {
          await deliveries.add(sink.name, checkpoint, await sink.publish(checkpoint, before));
          if (echoes) echoedAt = performance.now();
        } catch (error) {
          failed = error;
        }
      }
      if (failed !== undefined) throw failed;
      failingSince = undefined;
      failures = 0;
    } catch (error) {
      failingSince ??= performance.now();
      failures += 1;
      onFailure(sink.name, error, failingForMs());
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      nudged = false;
      await round();
      if (stopped || (nudged && failures === 0)) continue;
      const pauseMs = failures === 0 ? lookMs : Math.min(500 * 2 ** Math.min(failures, 8), LONGEST_PAUSE_MS);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (failures === 0) await round();
  };
  const done = loop();

  return {
    name: sink.name,
    failingForMs,
    nudge(): void {
      nudged = true;
      // A place that is away is not asked the more often the more there is to bring.
      if (failures === 0) wake();
    },
    async stop(): Promise<void> {
      stopped = true;
      wake();
      await done;
    },
  };
};
