/** Container seconds by day and person: all of the workspace to admins, to everybody else their own. */
import { Fault } from '@bravo/faults';
import { type Caller, isAdmin } from '../access/caller.ts';
import type { PodStore } from '../pods/pod-store.ts';
import { type DayUsage, secondsByDay } from './container-seconds.ts';

const LONGEST_MS = 400 * 86_400_000;

export const createListContainerUsage =
  ({ pods, now }: { readonly pods: PodStore; readonly now: () => Date }) =>
  async (caller: Caller, from: Date | undefined, to: Date | undefined): Promise<DayUsage[]> => {
    const until = to ?? now();
    const since = from ?? new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth(), 1));
    if (since > until || until.getTime() - since.getTime() > LONGEST_MS) {
      throw new Fault('invalid_argument', 'from must lie before to, and at most 400 days.', {
        meta: { field: 'from' },
      });
    }
    const whose = isAdmin(caller.permissions) ? undefined : caller.userId;
    const uses = await pods.uses(caller.workspaceId, since, until, whose);
    const lives = uses.map(({ userId, claimedAt, releasedAt }) => ({
      userId,
      from: claimedAt,
      to: releasedAt ?? now(),
    }));
    return secondsByDay(lives, since, until);
  };
