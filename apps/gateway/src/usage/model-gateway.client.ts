/** The model gateway's ledger over gRPC. */
import type { GrpcClient } from '@bravo/chassis';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { TokenLedger } from './sum-usage.ts';

export type ModelsClient = GrpcClient<typeof ModelsServiceService>;

export const createTokenLedger = (client: ModelsClient): TokenLedger => ({
  readAllowance: async (subject) => {
    const { limits, resetsAt, ...account } = await client.getAllowance({ conversationId: '' }, { subject });
    return {
      credits: {
        plan: account.plan,
        unlimited: account.unlimited,
        plan_granted: account.planGranted,
        plan_used: account.planUsed,
        trial_granted: account.trialGranted,
        trial_used: account.trialUsed,
        purchased_granted: account.purchasedGranted,
        purchased_used: account.purchasedUsed,
        reserved: account.reserved,
        resets_at: (resetsAt ?? new Date(0)).toISOString(),
      },
      limits: limits.map(({ name, limit, used, reserved, resetsAt: at }) => ({
        ...{ name, limit, used, reserved },
        resets_at: at?.toISOString() ?? '',
      })),
    };
  },
  listTokenUsage: async (subject, from, to) => (await client.listTokenUsage({ from, to }, { subject })).rows,
});
