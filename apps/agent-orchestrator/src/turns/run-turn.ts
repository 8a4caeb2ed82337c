/** Takes a person's message: nothing is started before the gate, the place and the idempotency key have been looked at. */
import { Fault, isFault } from '@bravo/faults';
import type { Caller } from '../access/caller.ts';
import { checkGate } from '../access/check-gate.ts';
import type { Identity } from '../access/identity.ts';
import { checkContent } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { MakePlace } from '../pods/make-place.ts';
import type { TurnStream } from '../turn-streams/turn-stream.ts';
import type { NewTurn, RecordedTurn, TurnStore } from './turn-store.ts';

export interface RunTurnParts {
  readonly conversations: ConversationStore;
  readonly turns: TurnStore;
  readonly stream: TurnStream;
  readonly identity: Identity;
  readonly makePlace: MakePlace;
  kick(conversationId: string): void;
  newId(prefix: 'msg' | 'trn'): string;
}

export interface RunTurn {
  readonly conversationId: string;
  readonly content: string;
  readonly idempotencyKey: string;
  readonly contextJson: string;
}

const MAX_KEY = 200;
const MAX_CONTEXT_BYTES = 16 * 1024;

export const createRunTurn =
  ({ conversations, turns, stream, identity, makePlace, kick, newId }: RunTurnParts) =>
  async (caller: Caller, { conversationId, content, idempotencyKey, contextJson }: RunTurn): Promise<RecordedTurn> => {
    const conversation = await conversations.find(conversationId, caller);
    if (!conversation) throw new Fault('not_found', 'There is no such conversation.');
    checkContent(content);
    if (idempotencyKey.length > MAX_KEY) {
      throw new Fault('invalid_argument', `An Idempotency-Key may have ${MAX_KEY} characters.`, {
        meta: { field: 'idempotency_key' },
      });
    }
    if (Buffer.byteLength(contextJson) > MAX_CONTEXT_BYTES) {
      throw new Fault('payload_too_large', `The context may have ${MAX_CONTEXT_BYTES} bytes.`, {
        meta: { field: 'context' },
      });
    }
    const slotLimit = await checkGate(identity, caller.workspaceId);
    const { workspaceId, userId } = caller;
    const recorded = await recordInPlace(turns, makePlace, {
      turnId: newId('trn'),
      messageId: newId('msg'),
      conversationId,
      owner: { workspaceId, userId },
      role: 'user',
      reason: 'message',
      content,
      idempotencyKey,
      contextJson,
      streamPosition: await stream.position({ workspaceId, conversationId }),
      slotLimit,
    });
    if (!recorded) throw new Fault('internal', 'A message was taken for work.');
    await announceQueued(stream, { workspaceId, conversationId }, recorded);
    kick(conversationId);
    return recorded;
  };

/** An idle pod of the workspace gives its place up before a person is told that there is none. */
const recordInPlace = async (
  turns: TurnStore,
  makePlace: MakePlace,
  turn: NewTurn,
): Promise<RecordedTurn | undefined> => {
  try {
    return await turns.record(turn);
  } catch (error) {
    if (!isFault(error) || error.code !== 'too_many_conversations' || !(await makePlace(turn.owner.workspaceId)))
      throw error;
    return turns.record(turn);
  }
};

/** Only a word to whoever watches: the turn is recorded and runs without it. */
export const announceQueued = async (
  stream: TurnStream,
  place: { readonly workspaceId: string; readonly conversationId: string },
  { turnId, queued, replayed }: RecordedTurn,
): Promise<void> => {
  if (!queued || replayed) return;
  const event = { event: 'status', data: { state: 'queued' }, turn_id: turnId } as const;
  await stream.publish(place, event, `${turnId}:queued`).catch(() => undefined);
};
