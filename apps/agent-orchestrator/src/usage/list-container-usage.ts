/** Container seconds by day and person: all of the workspace to who manages its members, to everybody else their own. */
import { Fault } from '@bravo/faults';
import { type Caller, managesMembers } from '../access/caller.ts';
import type { PodStore } from '../pods/pod-store.ts';
import { type DayUsage, secondsByDay } from './container-seconds.ts';

const LONGEST_MS = 400 * 86_400_000;

export const createListContainerUsage =
  ({ pods, now }: { readonly pods: PodStore; readonly now: () => Date }) =>
  /** Both dates are needed: which period is meant where none is named is the asking side's to say. */
  async (caller: Caller, from: Date | undefined, to: Date | undefined): Promise<DayUsage[]> => {
    if (!from || !to || from > to || to.getTime() - from.getTime() > LONGEST_MS) {
      throw new Fault('invalid_argument', 'Usage is told from one time to a later one, at most 400 days after it.', {
        meta: { field: 'from' },
      });
    }
    const whose = managesMembers(caller) ? undefined : caller.userId;
    const uses = await pods.uses(caller.workspaceId, from, to, whose);
    const lives = uses.map(({ userId, claimedAt, releasedAt }) => ({
      userId,
      from: claimedAt,
      to: releasedAt ?? now(),
    }));
    return secondsByDay(lives, from, to);
  };
