/** Puts one turn on record and sets it going, whoever asked for it: never before the gate of the workspace was looked at. */
import { isFault } from '@bravo/faults';
import { checkGate } from '../access/check-gate.ts';
import type { Identity } from '../access/identity.ts';
import type { MakePlace } from '../pods/make-place.ts';
import type { TurnStream } from '../turn-streams/turn-stream.ts';
import type { NewTurn, RecordedTurn, TurnStore } from './turn-store.ts';

export interface QueueTurnParts {
  readonly turns: TurnStore;
  readonly stream: TurnStream;
  readonly identity: Identity;
  readonly makePlace: MakePlace;
  /** Somebody looks for a turn to drive. */
  kick(conversationId: string): void;
  newId(prefix: 'msg' | 'trn'): string;
}

/** What a turn begins with; its ids, position and place are given here. */
export type AskedTurn = Omit<NewTurn, 'turnId' | 'messageId' | 'streamPosition' | 'places'>;

/** `undefined`: the work item was consumed before. @throws Fault as `TurnStore.record` does, feature_off, agent_disabled. */
export type QueueTurn = (asked: AskedTurn) => Promise<RecordedTurn | undefined>;

export const createQueueTurn =
  ({ turns, stream, identity, makePlace, kick, newId }: QueueTurnParts): QueueTurn =>
  async (asked) => {
    const { conversationId, owner } = asked;
    const place = { workspaceId: owner.workspaceId, conversationId };
    const [places, streamPosition] = await Promise.all([
      checkGate(identity, owner.workspaceId),
      stream.position(place),
    ]);
    const turn: NewTurn = {
      ...asked,
      turnId: newId('trn'),
      messageId: newId('msg'),
      streamPosition,
      places,
    };
    const recorded = await recordInPlace(turns, makePlace, turn);
    if (!recorded) return undefined;
    if (recorded.queued && !recorded.replayed) {
      const { turnId } = recorded;
      const event = { event: 'status', data: { state: 'queued' }, turn_id: turnId } as const;
      // Only a word to whoever watches: the turn is recorded and runs without it.
      await stream.publish(place, event, `${turnId}:queued`).catch(() => undefined);
    }
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
