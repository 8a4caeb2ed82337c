/** The work item that makes a turn go on after an answer; it repeats the call's own arguments and never a slot's content. */
import { MAX_PROMPT_BYTES, type WorkItem } from '@bravo/events';

export interface DecidedCall {
  readonly id: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly tool: string;
  readonly input: string;
}

export const workIdOf = ({ id }: Pick<DecidedCall, 'id'>): string => `wrk_${id}`;

/** One item per approval: its id is made of the approval's, so it is queued once however often it is asked for. */
export const workAfterAnswer = (approval: DecidedCall, decision: 'approved' | 'denied'): WorkItem => {
  const head =
    `[platform] The person ${decision} the call you were waiting for (${approval.id}, tool ${approval.tool}). ` +
    'Make the identical call again now to pick up the answer. Arguments: ';
  const whole = head + approval.input;
  return {
    work_id: workIdOf(approval),
    workspace_id: approval.workspaceId,
    conversation_id: approval.conversationId,
    user_id: approval.userId,
    reason: 'approval_decided',
    prompt:
      Buffer.byteLength(whole) <= MAX_PROMPT_BYTES
        ? whole
        : `${head}too long to repeat here; they are those of the call you made.`,
  };
};
