/** What a call is told that has to come back. It is no error and no answer: the identical call, made again, picks the answer up. */
import type { ToolAnswer } from '../tool-calls/tool-call.ts';
import type { Approval } from './approval.ts';

const COME_BACK = 'Make the identical call again later to pick up the answer; a changed call is a new question.';

export const waitingAnswer = (approval: Approval): ToolAnswer =>
  approval.status === 'executing'
    ? stillRunning(approval)
    : {
        kind: 'waiting',
        text: `waiting for approval ${approval.id}: a person has to answer before ${approval.tool} is called. ${COME_BACK}`,
        approvalId: approval.id,
        toolCallId: approval.toolCallId,
      };

/** Of an effect that takes longer than the client waits: the identical call meets the same effect. */
export const stillRunning = ({ id, toolCallId, tool }: Pick<Approval, 'id' | 'toolCallId' | 'tool'>): ToolAnswer => ({
  kind: 'waiting',
  text: `still running: approval ${id} was given and ${tool} has not ended yet. ${COME_BACK}`,
  approvalId: id,
  toolCallId,
});
