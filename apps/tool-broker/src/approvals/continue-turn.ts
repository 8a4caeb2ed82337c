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

const repeat = (input: string, head: string): string => {
  const whole = head + input;
  return Buffer.byteLength(whole) <= MAX_PROMPT_BYTES
    ? whole
    : `${head}too long to repeat here; they are those of the call you made.`;
};

/** One item per call that was granted: a call is granted once. */
export const workAfterStepUp = (call: DecidedCall, ttlSeconds: number): WorkItem => ({
  work_id: workIdOf(call),
  workspace_id: call.workspaceId,
  conversation_id: call.conversationId,
  user_id: call.userId,
  reason: 'approval_decided',
  prompt: repeat(
    call.input,
    `[platform] The person granted the call that was refused (${call.id}, tool ${call.tool}) for ${ttlSeconds} seconds. ` +
      'Make the identical call again now if it is still needed. Arguments: ',
  ),
});

/** One item per call whose file was vouched for. */
export const workAfterVouch = (call: DecidedCall): WorkItem => ({
  work_id: workIdOf(call),
  workspace_id: call.workspaceId,
  conversation_id: call.conversationId,
  user_id: call.userId,
  reason: 'approval_decided',
  prompt: repeat(
    call.input,
    `[platform] The person vouched for the file of a call you made (${call.id}, tool ${call.tool}), so you may read it now. ` +
      'Make the identical call again if you still need it. Arguments: ',
  ),
});

/** One item per approval: its id is made of the approval's, so it is queued once however often it is asked for. */
export const workAfterAnswer = (approval: DecidedCall, decision: 'approved' | 'denied'): WorkItem => {
  const head =
    `[platform] The person ${decision} the call you were waiting for (${approval.id}, tool ${approval.tool}). ` +
    'Make the identical call again now to pick up the answer. Arguments: ';
  return {
    work_id: workIdOf(approval),
    workspace_id: approval.workspaceId,
    conversation_id: approval.conversationId,
    user_id: approval.userId,
    reason: 'approval_decided',
    prompt: repeat(approval.input, head),
  };
};
