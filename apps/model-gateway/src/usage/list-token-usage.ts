/** Tells a workspace's token usage of a period; without one, of the running month. It never tells another workspace's. */
import { Fault } from '@bravo/faults';
import type { DailyUsage, UsageLedger } from './usage-ledger.ts';

export interface Period {
  /** Inclusive; absent: the first of the running month, UTC. */
  readonly from: Date | undefined;
  /** Exclusive; absent: now. */
  readonly to: Date | undefined;
}

export type ListTokenUsage = (workspaceId: string, period: Period) => Promise<DailyUsage[]>;

export const createListTokenUsage = (ledger: UsageLedger, now: () => Date): ListTokenUsage => {
  return (workspaceId, period) => {
    const at = now();
    const to = period.to ?? at;
    const from = period.from ?? new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1));
    if (from > to) throw new Fault('invalid_argument', 'The period ends before it begins.');
    return ledger.listDaily(workspaceId, from, to);
  };
};
