/** Tells a workspace's token usage of a period that is named in full. It never tells another workspace's. */
import { Fault } from '@bravo/faults';
import type { CallLedger, UsageRow } from '../quotas/call-ledger.ts';

export interface Period {
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
}

export type ListUsage = (workspaceId: string, period: Period) => Promise<UsageRow[]>;

/** Which period is meant where none is named is the asking side's to say. @throws Fault invalid_argument */
export const createListUsage =
  (ledger: Pick<CallLedger, 'list'>): ListUsage =>
  async (workspaceId, { from, to }) => {
    if (!from || !to) throw new Fault('invalid_argument', 'Usage is told of a period: name its beginning and its end.');
    if (from > to) throw new Fault('invalid_argument', 'The period ends before it begins.');
    return ledger.list(workspaceId, from, to);
  };
