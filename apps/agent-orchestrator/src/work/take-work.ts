/** Turns one work item into one turn, once; what no longer has a conversation, a person or a gate is dropped and said. */
import type { WorkItem } from '@bravo/events';
import { Fault, isFault } from '@bravo/faults';
import type { Identity } from '../access/identity.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { Schedules } from '../schedules/schedules.ts';
import type { QueueTurn } from '../turns/queue-turn.ts';

export interface TakeWorkParts {
  readonly conversations: ConversationStore;
  readonly identity: Identity;
  readonly queueTurn: QueueTurn;
  readonly schedules: Pick<Schedules, 'endTurn'>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** Faults after which the item will never become a turn. Everything else is tried again. */
const HOPELESS = new Set(['not_found', 'conversation_ended', 'feature_off', 'agent_disabled', 'permission_denied']);

const ATTACHED = 'left to the attached agent';

/** What asked for it is told, so that a loop ends with its reason instead of waiting for a turn that never is. */
const tellDropped = async ({ schedules }: TakeWorkParts, item: WorkItem, errorCode: string): Promise<void> => {
  if (item.reason !== 'schedule_due') return;
  const owner = { workspaceId: item.workspace_id, userId: item.user_id };
  const work = { turnId: '', workId: item.work_id, status: 'dropped', errorCode, answer: '' };
  await schedules.endTurn(owner, item.conversation_id, work).catch((error: unknown) => {
    if (!isFault(error) || error.code !== 'not_found') throw error;
  });
};

/** Resolves when the item is done with; rejects when it has to come again. */
export const createTakeWork =
  (parts: TakeWorkParts) =>
  async (item: WorkItem): Promise<void> => {
    const { log } = parts;
    try {
      const outcome = await takeOne(parts, item);
      if (outcome === ATTACHED) await tellDropped(parts, item, 'attached');
      log('work was taken', { work: item.work_id, conversation: item.conversation_id, outcome });
    } catch (error) {
      if (!isFault(error) || !HOPELESS.has(error.code)) throw error;
      await tellDropped(parts, item, error.code);
      log('work was dropped', {
        work: item.work_id,
        conversation: item.conversation_id,
        code: error.code,
        detail: error.detail,
      });
    }
  };

const takeOne = async ({ conversations, identity, queueTurn }: TakeWorkParts, item: WorkItem): Promise<string> => {
  const owner = { workspaceId: item.workspace_id, userId: item.user_id };
  const conversationId = item.conversation_id;
  const conversation = await conversations.find(conversationId, owner);
  if (!conversation) throw new Fault('not_found', 'The conversation does not exist.');
  if (conversation.attachedUntil && conversation.attachedUntil > new Date()) return ATTACHED;
  if (!(await identity.member(owner.workspaceId, owner.userId))) {
    throw new Fault('permission_denied', 'The person is no longer in the workspace.');
  }
  const recorded = await queueTurn({
    conversationId,
    owner,
    role: 'system',
    reason: item.reason,
    content: item.prompt,
    idempotencyKey: '',
    contextJson: '',
    workId: item.work_id,
  });
  if (!recorded) return 'taken before';
  return recorded.queued ? 'queued' : 'begun';
};
