/** The work item that makes a turn go on after an answer; it repeats the call's own arguments and never a slot's content. */
import type { WorkItem } from '@bravo/events';

const MAX_PROMPT_CHARS = 190_000;

export interface DecidedCall {
  readonly id: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly tool: string;
  readonly input: string;
}

/** One item per approval: its id is made of the approval's, so it is queued once however often it is asked for. */
export const workAfterAnswer = (approval: DecidedCall, decision: 'approved' | 'denied'): WorkItem => {
  const head =
    `[platform] The person ${decision} the call you were waiting for (${approval.id}, tool ${approval.tool}). ` +
    'Make the identical call again now to pick up the answer. Arguments: ';
  const whole = head + approval.input;
  return {
    work_id: `wrk_${approval.id}`,
    workspace_id: approval.workspaceId,
    conversation_id: approval.conversationId,
    user_id: approval.userId,
    reason: 'approval_decided',
    prompt:
      whole.length <= MAX_PROMPT_CHARS ? whole : `${head}too long to repeat here; they are those of the call you made.`,
  };
};
