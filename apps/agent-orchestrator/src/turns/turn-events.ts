/** The events of a turn: sizes and digests, never a word of what was said. */
import { createHash } from 'node:crypto';
import { agentActor, type EventDraft, serviceActor, userActor } from '@bravo/events';
import type { Owner } from '../conversations/conversation.ts';
import type { NewTurn } from './turn-store.ts';
import { messageStatusOf, type TurnEnd } from './turn-end.ts';

/** What made a turn, as the log calls it: a new reason does not compile before it has a name here. */
const SOURCE_OF_REASON: Readonly<Record<NewTurn['reason'], 'person' | 'approval' | 'job' | 'schedule' | 'delegate'>> = {
  message: 'person',
  approval_decided: 'approval',
  job_ended: 'job',
  schedule_due: 'schedule',
  delegated: 'delegate',
  delegate_reported: 'delegate',
};

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');

export const messageReceived = (turn: NewTurn, queued: boolean): EventDraft<'agent.message.received'> => ({
  type: 'agent.message.received',
  workspace: turn.owner.workspaceId,
  conversation: turn.conversationId,
  ...(SOURCE_OF_REASON[turn.reason] === 'person'
    ? { actor: userActor(turn.owner.userId) }
    : { actor: serviceActor('orchestrator'), onBehalfOf: turn.owner.userId }),
  ...(turn.workId ? { causation: turn.workId } : {}),
  data: {
    message_id: turn.messageId,
    turn_id: turn.turnId,
    bytes: Buffer.byteLength(turn.content),
    digest: digestOf(turn.content),
    queued,
    source: SOURCE_OF_REASON[turn.reason],
  },
});

interface Finished {
  readonly turnId: string;
  readonly conversationId: string;
  readonly owner: Owner;
  readonly end: TurnEnd;
  readonly durationMs: number;
}

export const messageSent = ({
  owner,
  ...turn
}: Finished & { readonly messageId: string; readonly text: string }): EventDraft<'agent.message.sent'> => ({
  type: 'agent.message.sent',
  workspace: owner.workspaceId,
  conversation: turn.conversationId,
  actor: agentActor(owner.userId),
  onBehalfOf: owner.userId,
  data: {
    message_id: turn.messageId,
    turn_id: turn.turnId,
    bytes: Buffer.byteLength(turn.text),
    digest: digestOf(turn.text),
    status: messageStatusOf(turn.end.status),
  },
});

export const turnFinished = ({ owner, end, ...turn }: Finished): EventDraft<'agent.turn.finished'> => ({
  type: 'agent.turn.finished',
  workspace: owner.workspaceId,
  conversation: turn.conversationId,
  actor: agentActor(owner.userId),
  onBehalfOf: owner.userId,
  data: {
    turn_id: turn.turnId,
    status: end.status,
    duration_ms: Math.max(0, Math.round(turn.durationMs)),
    input_tokens: end.status === 'completed' ? end.inputTokens : 0,
    output_tokens: end.status === 'completed' ? end.outputTokens : 0,
    ...(end.status === 'completed' ? {} : { error_code: end.code }),
  },
});
