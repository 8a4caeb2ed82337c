/** Brings the one ending event of every ended turn into its stream, also when a process died between the two. */
import type { TurnStream } from '../turn-streams/turn-stream.ts';
import { type EndedTurn, terminalEvent, terminalEventId } from './turn-end.ts';
import type { TurnStore } from './turn-store.ts';

export interface PublishEndsParts {
  readonly turns: TurnStore;
  readonly stream: TurnStream;
  /** The next turn may begin. */
  onPublished(conversationId: string): void;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** Within it the stream itself keeps a second copy out; after it we have to look. */
const DEDUPE_SURE_MS = 60_000;
/** Younger ones are still in the hands of whoever ended them. */
const SETTLE_MS = 2_000;

export const createPublishEnds = ({ turns, stream, onPublished, log }: PublishEndsParts) => {
  const publishEnd = async (turn: EndedTurn): Promise<void> => {
    try {
      const old = Date.now() - turn.finishedAt.getTime() > DEDUPE_SURE_MS;
      if (!old || !(await stream.hasEnd(turn, turn.id, turn.streamPosition))) {
        await stream.publish(turn, terminalEvent(turn), terminalEventId(turn.id));
      }
      await turns.markPublished(turn.id);
      onPublished(turn.conversationId);
    } catch (err) {
      log('the end of a turn could not be published yet', { turn: turn.id, err });
    }
  };
  return {
    publishEnd,
    publishLeft: async (): Promise<void> => {
      for (const turn of await turns.unpublished(SETTLE_MS)) await publishEnd(turn);
    },
  };
};
