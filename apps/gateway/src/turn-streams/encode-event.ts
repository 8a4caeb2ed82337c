/** Server-sent events as text; whatever the data holds, it stays inside its event. */
import type { TurnEvent } from '@bravo/events';

/** JSON has no line break of its own, so one `data:` line always suffices. */
export const encodeEvent = ({ event, data }: Pick<TurnEvent, 'event' | 'data'>, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** How long a client waits before it comes back. */
export const encodeRetry = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;

export const HEARTBEAT = ': still here\n\n';
