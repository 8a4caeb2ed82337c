/** Takes a person's message as their next turn: only in a conversation of their own, which the record itself looks at, and only what fits a pod's frame. */
import { Fault } from '@bravo/faults';
import type { Caller } from '../access/caller.ts';
import { checkContent, readContext } from '../conversations/conversation.ts';
import { readScheduleCommand } from '../schedules/read-schedule-command.ts';
import type { QueueTurn } from './queue-turn.ts';
import type { RecordedTurn } from './turn-store.ts';

export interface RunTurnParts {
  readonly queueTurn: QueueTurn;
}

export interface NewMessage {
  readonly conversationId: string;
  readonly content: string;
  /** Empty: none. */
  readonly idempotencyKey: string;
  /** What the person is looking at, as a JSON object; empty when the client did not say. */
  readonly contextJson: string;
}

const MAX_KEY = 200;

export const createRunTurn =
  ({ queueTurn }: RunTurnParts) =>
  async (
    caller: Caller,
    { conversationId, content, idempotencyKey, contextJson }: NewMessage,
  ): Promise<RecordedTurn> => {
    checkContent(content);
    readScheduleCommand(content);
    if (idempotencyKey.length > MAX_KEY) {
      throw new Fault('invalid_argument', `An Idempotency-Key may have ${MAX_KEY} characters.`, {
        meta: { field: 'idempotency_key' },
      });
    }
    const recorded = await queueTurn({
      conversationId,
      owner: { workspaceId: caller.workspaceId, userId: caller.userId },
      role: 'user',
      reason: 'message',
      content,
      idempotencyKey,
      contextJson: readContext(contextJson),
    });
    if (!recorded) throw new Fault('internal', 'A message was taken for work.');
    return recorded;
  };
