/** The questions of the asking person and of nobody else, of one conversation or of all of theirs. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { ApprovalStore } from './approval.ts';
import { toWireApproval } from './to-wire-approval.grpc.ts';

export const listApprovalsHandler = (
  approvals: Pick<ApprovalStore, 'list'>,
): Pick<Handlers<typeof BrokerServiceService>, 'listApprovals'> => ({
  listApprovals: async ({ conversationId, pendingOnly }, { principal }) => {
    const found = await approvals.list(
      personOf(principal),
      conversationId === '' ? undefined : conversationId,
      pendingOnly,
    );
    return { approvals: found.map(toWireApproval) };
  },
});
