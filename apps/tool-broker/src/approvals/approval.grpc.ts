/** Questions as the gRPC contract spells them, and the two methods people reach them by. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { Approval as WireApproval, BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { Approval, ApprovalStore } from './approval.ts';
import type { makeResolveApproval } from './resolve-approval.ts';

type Methods = Pick<Handlers<typeof BrokerServiceService>, 'listApprovals' | 'resolveApproval'>;

export const approvalHandlers = (
  approvals: Pick<ApprovalStore, 'list'>,
  resolveApproval: ReturnType<typeof makeResolveApproval>,
): Methods => ({
  listApprovals: async ({ conversationId, pendingOnly }, { principal }) => {
    const found = await approvals.list(
      personOf(principal),
      conversationId === '' ? undefined : conversationId,
      pendingOnly,
    );
    return { approvals: found.map(toWireApproval) };
  },
  resolveApproval: async ({ conversationId, toolCallId, decision, trustOutput }, { principal }) => {
    const person = personOf(principal);
    if (decision !== 'approve' && decision !== 'deny') {
      throw new Fault('invalid_argument', 'The decision must be "approve" or "deny".', { meta: { field: 'decision' } });
    }
    return {
      approval: toWireApproval(await resolveApproval({ ...person, conversationId, toolCallId, decision, trustOutput })),
    };
  },
});

export const toWireApproval = (approval: Approval): WireApproval => ({
  id: approval.id,
  toolCallId: approval.toolCallId,
  conversationId: approval.conversationId,
  tool: approval.tool,
  inputJson: approval.inputJson,
  why: approval.why,
  status: approval.status,
  asks: approval.asks.map(({ code, text }) => ({ code, text })),
  trustOutputOffered: approval.trustOutputOffered,
  callDigest: approval.callDigest,
  createdAt: approval.createdAt,
  expiresAt: approval.expiresAt,
  decidedBy: approval.decidedBy,
  decidedAt: approval.decidedAt,
});
