/** `/api/events`: bare data lines of what the agents do, as it happens; `/api/events/history`: the last of them. */
import type { Route } from '../gateway/call.http.ts';
import type { EventLog } from './event-log.ts';

const ALIVE_MS = 30_000;

export function eventRoutes(events: EventLog): Route {
  return ({ route, response }) => {
    if (route === 'GET /api/events/history') return { status: 200, body: { events: events.history } };
    if (route !== 'GET /api/events') return undefined;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    const stop = events.listen((event) => {
      // Whoever does not read loses events, never memory: this is a notice, and no record.
      if (!response.writableNeedDrain) response.write(`data: ${JSON.stringify(event)}\n\n`);
    });
    const alive = setInterval(() => response.write(': alive\n\n'), ALIVE_MS);
    response.on('close', () => {
      stop();
      clearInterval(alive);
    });
    return 'taken';
  };
}
