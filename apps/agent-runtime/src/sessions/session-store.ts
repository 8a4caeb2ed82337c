/**
 * Keeps each session's text history and its running turn in memory: at most one turn per session, ever.
 *
 * It is no record: the orchestrator owns the durable history, and all of this dies with the pod.
 */
import { randomUUID } from 'node:crypto';

export interface TextMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface RunningTurn {
  readonly id: string;
  readonly startedAt: Date;
  readonly abort: AbortController;
}

export interface Session {
  readonly id: string;
  readonly history: TextMessage[];
  turn: RunningTurn | undefined;
  failed: boolean;
}

const SESSION_ID = /^[A-Za-z0-9._-]{1,128}$/;

export class SessionStore {
  readonly #sessions = new Map<string, Session>();

  /** The id without ZeroClaw's `gw_` key prefix, or undefined when it is no session id. */
  static normalize(id: string): string | undefined {
    const bare = id.startsWith('gw_') ? id.slice(3) : id;
    return SESSION_ID.test(bare) ? bare : undefined;
  }

  find(id: string): Session | undefined {
    return this.#sessions.get(SessionStore.normalize(id) ?? '');
  }

  /** The session of that id, made when there is none. */
  open(id: string): Session {
    const existing = this.#sessions.get(id);
    if (existing) return existing;
    const session: Session = { id, history: [], turn: undefined, failed: false };
    this.#sessions.set(id, session);
    return session;
  }

  /** Starts the session's turn, or answers undefined when one is running already. */
  beginTurn(session: Session): RunningTurn | undefined {
    if (session.turn) return undefined;
    session.turn = { id: randomUUID(), startedAt: new Date(), abort: new AbortController() };
    session.failed = false;
    return session.turn;
  }

  endTurn(session: Session, failed: boolean): void {
    session.turn = undefined;
    session.failed = failed;
  }

  /** Stops the session's turn; false when none was running. */
  abort(session: Session | undefined): boolean {
    if (!session?.turn) return false;
    session.turn.abort.abort();
    return true;
  }

  /** Drops the oldest messages until the history fits in `maxCharacters`; answers how many were dropped. */
  trim(session: Session, maxCharacters: number): number {
    let size = session.history.reduce((sum, message) => sum + message.content.length, 0);
    let dropped = 0;
    while (size > maxCharacters && session.history.length > 0) {
      size -= session.history.shift()?.content.length ?? 0;
      dropped += 1;
    }
    return dropped;
  }
}
