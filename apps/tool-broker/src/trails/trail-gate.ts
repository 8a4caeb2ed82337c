/** Stops calls while the trail cannot be written. Guarantees that what is done can be told; it opens by itself as soon as events go out again. */
import { Fault } from '@bravo/faults';

export interface TrailGateOptions {
  /** Age of the oldest event that has not gone out, 0 when there is none. Rejects where that cannot be known. */
  readonly lagSeconds: () => Promise<number>;
  /** Older than this: closed. */
  readonly limitSeconds: number;
  readonly onChange: (open: boolean, lagSeconds: number | undefined) => void;
  /** How often to look. */
  readonly everyMs?: number;
}

export interface TrailGate {
  /** @throws Fault trail_unavailable while it is closed. */
  requireOpen(): void;
  stop(): void;
}

export const startTrailGate = ({
  lagSeconds,
  limitSeconds,
  onChange,
  everyMs = 1_000,
}: TrailGateOptions): TrailGate => {
  let open = true;
  let stopped = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    // Where the database does not answer, nothing can be put on record either.
    const lag = await lagSeconds().catch(() => undefined);
    const now = lag !== undefined && lag <= limitSeconds;
    if (now !== open) onChange(now, lag);
    open = now;
    if (!stopped) timer = setTimeout(() => void look(), everyMs);
  };
  timer = setTimeout(() => void look(), everyMs);
  return {
    requireOpen() {
      if (open) return;
      throw new Fault(
        'trail_unavailable',
        'What is done here must be told to the trail, and that cannot be reached just now. Nothing was done; try again soon.',
      );
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
