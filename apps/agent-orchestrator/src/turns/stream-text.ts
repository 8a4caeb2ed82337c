/** Streams text in order, one publish at a time: what is said meanwhile rides in the next one. It never says a word twice. */
import type { TurnPlace, TurnStream } from '../turn-streams/turn-stream.ts';

export interface TextStream {
  push(delta: string): void;
  /** Waits until all is in the stream, at most so long. @returns whether it is. */
  flush(limitMs: number): Promise<boolean>;
  /** Says nothing more, not even what waits. */
  stop(): void;
}

const RETRY_MS = 200;
/** One event of a stream stays small whatever a pod sends at once. */
const MAX_DELTA = 16_384;

/** `mayPublish` is asked before each publish; false ends the stream. */
export const createTextStream = (
  stream: TurnStream,
  place: TurnPlace,
  turnId: string,
  mayPublish: () => boolean,
): TextStream => {
  let waiting = '';
  let count = 0;
  let said = 0;
  let stopped = false;
  let running: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    while (waiting !== '' && !stopped) {
      // Not between the halves of a surrogate pair: each event is text of its own.
      const cut =
        waiting.length <= MAX_DELTA
          ? waiting.length
          : MAX_DELTA - (/[\uD800-\uDBFF]/.test(waiting[MAX_DELTA - 1] ?? '') ? 1 : 0);
      const delta = waiting.slice(0, cut);
      waiting = waiting.slice(cut);
      count += 1;
      // Where it begins in the answer: a reader who holds a stored beginning joins exactly there.
      const event = { event: 'content_delta', data: { delta, offset: said }, turn_id: turnId } as const;
      said += delta.length;
      const id = `${turnId}:text:${count}`;
      while (!stopped) {
        if (!mayPublish()) return void (stopped = true);
        try {
          await stream.publish(place, event, id);
          break;
        } catch {
          // The same id again: had it been stored after all, it is stored once.
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    }
  };
  return {
    push(delta) {
      waiting += delta;
      if (delta !== '') running ??= send().finally(() => (running = undefined));
    },
    async flush(limitMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
      await Promise.race([running, late]);
      clearTimeout(timer);
      return waiting === '' && running === undefined;
    },
    stop: () => {
      stopped = true;
      waiting = '';
    },
  };
};
