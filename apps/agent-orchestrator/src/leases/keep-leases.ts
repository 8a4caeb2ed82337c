/**
 * Renews what this instance drives and says when it may not any more. By this process's own clock a lease is over a
 * little before the database's, so two instances never drive one conversation, also when this one could not ask.
 */
import { performance } from 'node:perf_hooks';
import type { LeaseStore } from './lease-store.ts';

export interface LeaseKeeperOptions {
  readonly leases: LeaseStore;
  readonly leaseSeconds: number;
  /** Told once per lost lease. */
  onLost(conversationId: string): void;
  onError(error: unknown): void;
}

export interface LeaseKeeper {
  /** `askedAt`: `performance.now()` before the lease was taken. */
  hold(conversationId: string, askedAt: number): void;
  isHeld(conversationId: string): boolean;
  release(conversationId: string): Promise<void>;
  stop(): Promise<void>;
}

export const createLeaseKeeper = ({ leases, leaseSeconds, onLost, onError }: LeaseKeeperOptions): LeaseKeeper => {
  const lifeMs = leaseSeconds * 1000 * 0.9;
  const held = new Map<string, number>();
  const lose = (id: string): void => {
    if (held.delete(id)) onLost(id);
  };
  const renew = async (): Promise<void> => {
    const asked = [...held.keys()];
    const askedAt = performance.now();
    try {
      const kept = new Set(asked.length === 0 ? [] : await leases.renew(asked));
      for (const id of asked) {
        if (!kept.has(id)) lose(id);
        else if (held.has(id)) held.set(id, askedAt + lifeMs);
      }
    } catch (error) {
      onError(error);
    }
  };
  let running: Promise<void> | undefined;
  const renewing = setInterval(
    () => {
      running ??= renew().finally(() => (running = undefined));
    },
    Math.max(50, (leaseSeconds * 1000) / 4),
  );
  // Apart from the renewal: a database that hangs must not keep us driving.
  const watching = setInterval(
    () => {
      for (const [id, until] of held) if (performance.now() > until) lose(id);
    },
    Math.max(10, lifeMs / 20),
  );
  return {
    hold: (id, askedAt) => void held.set(id, askedAt + lifeMs),
    isHeld: (id) => performance.now() < (held.get(id) ?? 0),
    release: async (id) => {
      if (held.delete(id)) await leases.release(id);
    },
    stop: async () => {
      clearInterval(renewing);
      clearInterval(watching);
      await running;
      await Promise.all([...held.keys()].map((id) => (held.delete(id), leases.release(id))));
    },
  };
};
