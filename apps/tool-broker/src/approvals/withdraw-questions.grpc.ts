/** A stopped turn leaves no question behind: an approval given later would start what its person had stopped. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import { readConversationId } from '../conversations/read-request.ts';
import type { ApprovalStore } from './approval.ts';

export const withdrawQuestionsHandler = (
  approvals: Pick<ApprovalStore, 'withdraw'>,
  notices: { tell(conversationId: string): Promise<unknown> },
): Pick<Handlers<typeof BrokerServiceService>, 'withdrawQuestions'> => ({
  withdrawQuestions: async ({ conversationId }, { principal }) => {
    const id = readConversationId(conversationId);
    const withdrawn = await approvals.withdraw(personOf(principal), id);
    if (withdrawn > 0) await notices.tell(id);
    return { withdrawn };
  },
});
