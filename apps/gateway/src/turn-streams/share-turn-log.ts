/**
 * One reader per conversation and process for all who listen to it. A listener gets exactly what a reader of its own would
 * give it: every event after its position once, in order; one that the shared reader cannot vouch for gets its own.
 */
import type { PositionedEvent, TurnLog } from './turn-log.ts';

/** Events kept for whoever joins with an older position. */
const KEPT = 256;
/** What a listener may leave unread; then its stream ends, and it resumes by the id of the last event it had. */
const UNREAD = 2_000;

type Result = IteratorResult<PositionedEvent, undefined>;
const DONE: Result = { done: true, value: undefined };

/** What one listener has not taken yet. */
class Inbox {
  readonly #unread: PositionedEvent[] = [];
  readonly #after: number;
  #wanted: { resolve(result: Result): void; reject(error: unknown): void } | undefined;
  #end: { readonly error: unknown } | 'done' | undefined;

  constructor(after: number) {
    this.#after = after;
  }

  /** @returns false when there is no room for it. */
  put(event: PositionedEvent): boolean {
    if (this.#end !== undefined || event.position <= this.#after) return true;
    if (this.#wanted !== undefined) {
      this.#wanted.resolve({ done: false, value: event });
      this.#wanted = undefined;
      return true;
    }
    this.#unread.push(event);
    return this.#unread.length <= UNREAD;
  }

  /** What was put before is still taken. */
  end(end: { readonly error: unknown } | 'done'): void {
    this.#end ??= end;
    if (this.#end === 'done') this.#wanted?.resolve(DONE);
    else this.#wanted?.reject(this.#end.error);
    this.#wanted = undefined;
  }

  /** The next one; at most one is asked for at a time. */
  take(): Promise<Result> {
    const value = this.#unread.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.#end === 'done') return Promise.resolve(DONE);
    if (this.#end !== undefined) return Promise.reject(this.#end.error);
    return new Promise((resolve, reject) => (this.#wanted = { resolve, reject }));
  }
}

/** The shared reader of one conversation: reads while anybody listens. */
class Channel {
  readonly generation: string;
  readonly #inboxes = new Set<Inbox>();
  readonly #kept: PositionedEvent[] = [];
  readonly #stop = new AbortController();
  readonly #onEnd: () => void;
  /** Everything after this position is kept or still to come. */
  #from: number;

  constructor(generation: string, from: number, onEnd: () => void) {
    this.generation = generation;
    this.#from = from;
    this.#onEnd = onEnd;
  }

  covers(after: number): boolean {
    return after >= this.#from;
  }

  async run(read: (signal: AbortSignal) => AsyncIterable<PositionedEvent>): Promise<void> {
    try {
      for await (const event of read(this.#stop.signal)) this.#hear(event);
      this.end('done');
    } catch (error) {
      this.end({ error });
    }
  }

  join(after: number): Inbox {
    const inbox = new Inbox(after);
    for (const event of this.#kept) inbox.put(event);
    if (this.#stop.signal.aborted) inbox.end('done');
    else this.#inboxes.add(inbox);
    return inbox;
  }

  leave(inbox: Inbox): void {
    inbox.end('done');
    if (this.#inboxes.delete(inbox) && this.#inboxes.size === 0) this.end('done');
  }

  /** Every listener ends; whoever comes next opens another. */
  end(end: { readonly error: unknown } | 'done'): void {
    this.#onEnd();
    this.#stop.abort();
    for (const inbox of this.#inboxes) inbox.end(end);
    this.#inboxes.clear();
  }

  #hear(event: PositionedEvent): void {
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#from = this.#kept.shift()?.position ?? this.#from;
    for (const inbox of this.#inboxes) if (!inbox.put(event)) this.leave(inbox);
  }
}

interface Asked {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly after: number;
  readonly signal: AbortSignal;
}

interface Source {
  next(): Promise<Result>;
  leave(): void;
}

export const shareTurnLog = (log: TurnLog): TurnLog => {
  const channels = new Map<string, Channel>();

  /** The generation is known already, so that looking and joining are one step. */
  const channelOf = (asked: Asked, generation: string): Channel | undefined => {
    const { workspaceId, conversationId, after } = asked;
    const key = `${workspaceId} ${conversationId}`;
    const known = channels.get(key);
    // A stream that was lost: what reads it hears nothing any more, and its positions say nothing about the new one.
    if (known !== undefined && known.generation !== generation) known.end('done');
    else if (known !== undefined) return known.covers(after) ? known : undefined;
    const channel: Channel = new Channel(generation, after, () => {
      if (channels.get(key) === channel) channels.delete(key);
    });
    channels.set(key, channel);
    void channel.run((signal) => log.read(workspaceId, conversationId, after, signal));
    return channel;
  };

  const open = async (asked: Asked): Promise<Source> => {
    const { workspaceId, conversationId, after, signal } = asked;
    const channel = channelOf(asked, await log.generation());
    if (channel === undefined) {
      const own: AsyncIterator<PositionedEvent, undefined> = log
        .read(workspaceId, conversationId, after, signal)
        [Symbol.asyncIterator]();
      return { next: () => own.next(), leave: () => void own.return?.() };
    }
    const inbox = channel.join(after);
    const leave = (): void => {
      signal.removeEventListener('abort', leave);
      channel.leave(inbox);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    return { next: () => inbox.take(), leave };
  };

  const listen = (asked: Asked): AsyncIterator<PositionedEvent, undefined> => {
    let source: Source | undefined;
    const begin = async (): Promise<Result> => {
      if (asked.signal.aborted) return DONE;
      source = await open(asked);
      return source.next();
    };
    return {
      next: () => source?.next() ?? begin(),
      return: () => {
        source?.leave();
        return Promise.resolve(DONE);
      },
    };
  };

  return {
    bounds: (workspaceId, conversationId) => log.bounds(workspaceId, conversationId),
    generation: () => log.generation(),
    read: (workspaceId, conversationId, after, signal) => ({
      [Symbol.asyncIterator]: () => listen({ workspaceId, conversationId, after, signal }),
    }),
  };
};
