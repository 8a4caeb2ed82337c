/** The end of a delegate as the orchestrator saw it: its own work, so a workspace is enough and no person needs to be there. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { readConversationId } from '../conversations/read-request.ts';
import type { ReportDelegate } from './report-delegate.ts';

const OUTCOMES = ['completed', 'failed', 'cancelled', 'interrupted'];

export const reportDelegateHandler = (
  reportDelegate: ReportDelegate,
): Pick<Handlers<typeof BrokerServiceService>, 'reportDelegate'> => ({
  reportDelegate: async ({ conversationId, ...request }, { principal }) => {
    if (principal.workspaceId === '') throw new Fault('permission_denied', 'The call names no workspace.');
    if (!OUTCOMES.includes(request.outcome)) throw new Fault('invalid_argument', 'That is no outcome of a delegate.');
    return reportDelegate({
      ...request,
      conversationId: readConversationId(conversationId),
      workspaceId: principal.workspaceId,
    });
  },
});
