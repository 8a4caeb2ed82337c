/** Keeps some unbound pods ready, one start at a time and ever slower while starts fail; a warm pod serves nobody until it is claimed. */
import { type LivePod, tokenLasts } from './live-pod.ts';
import type { PodKeeper } from './pod-keeper.ts';

export interface WarmPoolOptions {
  readonly keeper: PodKeeper;
  readonly size: number;
  /** Longest turn: a warm pod whose token would not outlive it is replaced. */
  readonly turnMs: number;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** How long to wait before the next start. */
export const refillPause = (failures: number): number => Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);

export const startWarmPool = ({ keeper, size, turnMs, log }: WarmPoolOptions): { stop(): Promise<void> } => {
  let stopped = false;
  let failures = 0;
  let wake: () => void = () => undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const stale = (pod: LivePod): boolean => !tokenLasts(pod, turnMs);
  const run = async (): Promise<void> => {
    while (!stopped) {
      for (const pod of keeper.live.warm().filter(stale)) await keeper.release(pod.id, 'its token is about to expire');
      if (keeper.live.warm().length >= size) {
        await pause(5_000);
        continue;
      }
      try {
        await keeper.start();
        failures = 0;
      } catch (err) {
        failures += 1;
        if (!stopped) log('no warm pod could be started; trying again', { err, failures });
      }
      if (stopped) return;
      // Not wakeable while starts fail: a burst of messages must not become a burst of failing starts.
      if (failures > 0) await new Promise((resolve) => setTimeout(resolve, refillPause(failures)).unref());
      else await pause(refillPause(0));
    }
  };
  keeper.onReleased = () => wake();
  const done = size > 0 ? run() : Promise.resolve();
  return {
    stop: async () => {
      stopped = true;
      wake();
      if (failures === 0) await done;
    },
  };
};
