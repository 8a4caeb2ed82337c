/** Reads an event stream as a browser would, keeping ids, comments and the order; for specs only. */
import { createParser } from 'eventsource-parser';

export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface ReadStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: ReadEvent[];
  readonly comments: string[];
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  until(fits: (event: ReadEvent) => boolean): Promise<ReadEvent>;
  close(): void;
}

export const readEvents = async (
  url: string,
  init: RequestInit & { headers: Record<string, string> },
): Promise<ReadStream> => {
  const abort = new AbortController();
  const response = await fetch(url, {
    ...init,
    signal: abort.signal,
    headers: { accept: 'text/event-stream', ...init.headers },
  });
  const events: ReadEvent[] = [];
  const comments: string[] = [];
  let wake: () => void = () => undefined;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      events.push({ id: id ?? '', event: event ?? '', data: JSON.parse(data) as Record<string, unknown> });
      wake();
    },
    onComment: (comment) => comments.push(comment),
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
  };
  const ended = read()
    .catch(() => undefined)
    .finally(() => wake());
  return {
    status: response.status,
    headers: response.headers,
    events,
    comments,
    ended,
    close: () => abort.abort(),
    until: async (fits) => {
      const deadline = Date.now() + 10_000;
      for (;;) {
        const found = events.find(fits);
        if (found) return found;
        if (Date.now() > deadline) throw new Error(`no such event among ${JSON.stringify(events)}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 100);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
};
