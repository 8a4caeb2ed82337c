/** The model gateway's word on what a person may still spend. It is asked only where a turn has failed: so nobody's loop ends for a limit that stopped nothing. */
import type { GrpcClient } from '@bravo/chassis';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { Owner } from './schedule.ts';

/** @returns false while nobody can say. */
export const createBudgetGone =
  (models: Pick<GrpcClient<typeof ModelsServiceService>, 'getAllowance'>) =>
  async ({ userId, workspaceId, conversationId }: Owner): Promise<boolean> => {
    try {
      const now = await models.getAllowance({ conversationId }, { subject: { userId, workspaceId } });
      if (now.limits.some(({ limit, used, reserved }) => Number(used) + Number(reserved) >= Number(limit))) return true;
      const granted = Number(now.planGranted) + Number(now.trialGranted) + Number(now.purchasedGranted);
      const used = Number(now.planUsed) + Number(now.trialUsed) + Number(now.purchasedUsed) + Number(now.reserved);
      return !now.unlimited && granted > 0 && used >= granted;
    } catch {
      return false;
    }
  };
