/** What a client says it takes, read as HTTP defines it. */

interface Range {
  readonly type: string;
  readonly quality: number;
}

const ranges = (accept: string): Range[] =>
  accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });

/** Whether the list names event streams itself: a client that takes "anything" is not asking for one. */
export const asksForEvents = (accept: string | undefined): boolean =>
  ranges(accept ?? '').some(({ type, quality }) => type === 'text/event-stream' && quality > 0);

/** Whether the client could take an event stream where nothing else is offered. */
export const takesEvents = (accept: string | undefined): boolean =>
  accept === undefined ||
  ranges(accept).some(({ type, quality }) => ['text/event-stream', 'text/*', '*/*'].includes(type) && quality > 0);
