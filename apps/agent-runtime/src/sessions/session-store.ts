/**
 * Keeps each session's text history in SQLite and its running turn in memory: at most one turn per session, ever, and
 * a short line of those that wait for it.
 *
 * It is no record of the platform: the orchestrator owns the durable history, and all of this goes with the pod.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

export interface TextMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}
export type KeptMessage = TextMessage & { readonly created_at: string };

export interface RunningTurn {
  readonly id: string;
  readonly startedAt: Date;
  readonly abort: AbortController;
}

export interface Session {
  readonly id: string;
  turn: RunningTurn | undefined;
  failed: boolean;
  /** Rows up to this one are kept and no longer told to the model. */
  trimmedTo: number;
  /** Sockets that look at it. */
  readonly listeners: Set<(message: KeptMessage) => void>;
  readonly waiting: (() => void)[];
}

export interface SessionRow {
  readonly session_id: string;
  readonly session_key: string;
  readonly created_at: string;
  readonly last_activity: string;
  readonly message_count: number;
  readonly agent_alias: string;
  readonly channel_id: string;
  readonly name?: string;
}

export const SESSION_SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, agent TEXT NOT NULL, name TEXT, created_at TEXT NOT NULL, last_activity TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    role TEXT NOT NULL, content TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS messages_of_session ON messages (session_id, seq);
  PRAGMA foreign_keys = ON;
`;

const SESSION_ID = /^[A-Za-z0-9._-]{1,128}$/;
const QUEUE_LIMIT = 8;
const now = (): string => new Date().toISOString();

export class SessionStore {
  readonly #live = new Map<string, Session>();

  constructor(private readonly database: DatabaseSync) {}

  /** The id without ZeroClaw's `gw_` key prefix, or undefined when it is no session id. */
  static normalize(id: string): string | undefined {
    const bare = id.startsWith('gw_') ? id.slice(3) : id;
    return SESSION_ID.test(bare) ? bare : undefined;
  }

  find(id: string): Session | undefined {
    const bare = SessionStore.normalize(id);
    if (bare === undefined) return undefined;
    const row = this.database.prepare('SELECT id FROM sessions WHERE id = ?').get(bare);
    return row && this.#of(bare);
  }

  /** The session of that id, made when there is none. */
  open(id: string, agent: string, name?: string): Session {
    this.database
      .prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING')
      .run(id, agent, name ?? null, now(), now());
    return this.#of(id);
  }

  #of(id: string): Session {
    const existing = this.#live.get(id);
    if (existing) return existing;
    const session: Session = { id, turn: undefined, failed: false, trimmedTo: 0, listeners: new Set(), waiting: [] };
    this.#live.set(id, session);
    return session;
  }

  list(): SessionRow[] {
    const rows = this.database.prepare(`SELECT * FROM sessions ORDER BY last_activity DESC`).all() as Record<
      string,
      string | null
    >[];
    return rows.map(({ id, agent, name, created_at, last_activity }) => ({
      session_id: String(id),
      session_key: `gw_${id}`,
      created_at: String(created_at),
      last_activity: String(last_activity),
      message_count: this.count(String(id)),
      agent_alias: String(agent),
      channel_id: 'gateway',
      ...(name !== null && { name: String(name) }),
    }));
  }

  nameOf(id: string): string | undefined {
    const row = this.database.prepare('SELECT name FROM sessions WHERE id = ?').get(id) as
      { name: string | null } | undefined;
    return row?.name ?? undefined;
  }

  rename(id: string, name: string): void {
    this.database.prepare('UPDATE sessions SET name = ? WHERE id = ?').run(name, id);
  }

  /** Also stops its turn. */
  remove(session: Session): void {
    this.abort(session);
    this.#live.delete(session.id);
    this.database.prepare('DELETE FROM sessions WHERE id = ?').run(session.id);
  }

  count(id: string): number {
    return Number(this.database.prepare('SELECT count(*) AS n FROM messages WHERE session_id = ?').get(id)?.['n']);
  }

  messages(id: string, after = 0): (KeptMessage & { readonly seq: number })[] {
    return this.database
      .prepare('SELECT seq, role, content, created_at FROM messages WHERE session_id = ? AND seq > ? ORDER BY seq')
      .all(id, after) as never;
  }

  /** A session that was removed meanwhile keeps nothing. */
  append(session: Session, ...messages: readonly TextMessage[]): void {
    if (!this.find(session.id)) return;
    for (const { role, content } of messages) {
      this.database
        .prepare('INSERT INTO messages (session_id, role, content, created_at) VALUES (?, ?, ?, ?)')
        .run(session.id, role, content, now());
    }
    this.database.prepare('UPDATE sessions SET last_activity = ? WHERE id = ?').run(now(), session.id);
  }

  /** What the platform says in between: kept as the assistant's, and pushed to whoever looks at the session. */
  notify(session: Session, content: string): void {
    this.append(session, { role: 'assistant', content });
    for (const tell of session.listeners) tell({ role: 'assistant', content, created_at: now() });
  }

  /** Starts the session's turn, or answers undefined when one is running already. */
  beginTurn(session: Session): RunningTurn | undefined {
    if (session.turn) return undefined;
    session.turn = { id: randomUUID(), startedAt: new Date(), abort: new AbortController() };
    session.failed = false;
    return session.turn;
  }

  /** Waits in line for the turn that runs. @returns a word for why it may not go on, or nothing when it is its turn. */
  waitForTurn(
    session: Session,
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<'full' | 'late' | 'gone' | undefined> {
    if (!session.turn) return Promise.resolve(undefined);
    if (session.waiting.length >= QUEUE_LIMIT) return Promise.resolve('full');
    return new Promise((resolve) => {
      const leave = (why: 'late' | 'gone' | undefined): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
        const place = session.waiting.indexOf(next);
        if (place !== -1) session.waiting.splice(place, 1);
        resolve(why);
      };
      const next = (): void => leave(undefined);
      const gone = (): void => leave('gone');
      const timer = setTimeout(() => leave('late'), patienceMs);
      signal.addEventListener('abort', gone, { once: true });
      session.waiting.push(next);
    });
  }

  endTurn(session: Session, failed: boolean): void {
    session.turn = undefined;
    session.failed = failed;
    session.waiting[0]?.();
  }

  /** Stops the session's turn; false when none was running. */
  abort(session: Session | undefined): boolean {
    if (!session?.turn) return false;
    session.turn.abort.abort();
    return true;
  }

  /** The newest messages that fit in `maxCharacters`, and how many were told before and are not any more. */
  recent(
    session: Session,
    maxCharacters: number,
  ): { readonly messages: readonly TextMessage[]; readonly dropped: number } {
    const told = this.messages(session.id, session.trimmedTo);
    let size = told.reduce((sum, message) => sum + message.content.length, 0);
    let dropped = 0;
    for (; size > maxCharacters && dropped < told.length; dropped += 1) size -= told[dropped]?.content.length ?? 0;
    if (dropped > 0) session.trimmedTo = told[dropped - 1]?.seq ?? 0;
    return { messages: told.slice(dropped), dropped };
  }
}
