/** `/api/sessions`: what is kept of the text of each session, its state, and the one way to stop its turn from outside. */
import { type Answer, type Call, readObject, requireText, type Route } from '../gateway/call.http.ts';
import type { Session, SessionStore } from './session-store.ts';

const NO_SESSION: Answer = { status: 404, body: { error: 'There is no session of that id.' } };

export function sessionRoutes(sessions: SessionStore): Route {
  return async (call) => {
    if (call.route === 'GET /api/sessions') return { status: 200, body: { sessions: sessions.list() } };
    const [, id, verb = ''] = /^\/api\/sessions\/([^/]+)(?:\/(abort|state|messages))?$/.exec(call.path) ?? [];
    if (id === undefined) return undefined;
    const session = sessions.find(decode(id));
    const asked = `${call.request.method} ${verb}`;
    // Asked twice, or of a session nobody knows: the same answer, and nothing happens.
    if (asked === 'POST abort')
      return { status: 200, body: { status: sessions.abort(session) ? 'aborted' : 'no_active_response' } };
    return session ? ofSession(asked, session, sessions, call) : NO_SESSION;
  };
}

async function ofSession(
  asked: string,
  session: Session,
  sessions: SessionStore,
  { request }: Call,
): Promise<Answer | undefined> {
  switch (asked) {
    case 'GET state':
      return {
        status: 200,
        body: {
          session_id: session.id,
          state: session.turn ? 'running' : session.failed ? 'error' : 'idle',
          ...(session.turn && { turn_id: session.turn.id, turn_started_at: session.turn.startedAt.toISOString() }),
        },
      };
    case 'GET messages': {
      const messages = sessions
        .messages(session.id)
        .map(({ role, content, created_at }) => ({ role, content, created_at }));
      return { status: 200, body: { session_id: session.id, messages, session_persistence: true } };
    }
    case 'POST messages': {
      sessions.notify(session, requireText(await readObject(request), 'content'));
      return { status: 200, body: { status: 'ok', session_id: session.id } };
    }
    case 'PUT ': {
      sessions.rename(session.id, requireText(await readObject(request), 'name'));
      return { status: 200, body: { session_id: session.id, name: sessions.nameOf(session.id) } };
    }
    case 'DELETE ':
      sessions.remove(session);
      return { status: 200, body: { deleted: true, session_id: session.id } };
    default:
      return undefined;
  }
}

export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
