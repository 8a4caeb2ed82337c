/** A person's answer off the wire; only "approve" and "deny" are answers, and an agent's principal gives none. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { createResolveApproval } from './resolve-approval.ts';
import { toWireGrant } from '../grants/grants.grpc.ts';
import { toWireApproval } from './to-wire-approval.grpc.ts';

export const resolveApprovalHandler = (
  resolveApproval: ReturnType<typeof createResolveApproval>,
): Pick<Handlers<typeof BrokerServiceService>, 'resolveApproval'> => ({
  resolveApproval: async (
    { conversationId, toolCallId, decision, trustOutput, grantTtlSeconds, answers },
    { principal },
  ) => {
    const person = personOf(principal);
    if (decision !== 'approve' && decision !== 'deny') {
      throw new Fault('invalid_argument', 'The decision must be "approve" or "deny".', { meta: { field: 'decision' } });
    }
    const { approval, grant } = await resolveApproval({
      ...{ ...person, conversationId, toolCallId, trustOutput, grantTtlSeconds, answers: answers?.answers },
      decision,
    });
    return { approval: toWireApproval(approval), grant: grant === undefined ? undefined : toWireGrant(grant) };
  },
});
