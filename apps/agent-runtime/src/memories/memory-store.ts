/**
 * What an agent was told to remember, in SQLite with a full-text index: kept, found by words, listed and forgotten.
 *
 * It goes with the pod's directory, and nothing gets in but through the pod's own API or, where that is switched on, the
 * messages of its turns.
 */
import type { DatabaseSync } from 'node:sqlite';

export interface Memory {
  readonly key: string;
  readonly content: string;
  readonly category: string;
  readonly agent: string;
  readonly timestamp: string;
}
export interface MemoryQuery {
  readonly query?: string | undefined;
  readonly category?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly agent?: string | undefined;
}

export const MEMORY_SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS memories USING fts5 (content, key UNINDEXED, category UNINDEXED, agent UNINDEXED, timestamp UNINDEXED);
`;
const LISTED = 200;
const RECALLED = 5;
const MAX_RECALL_CHARACTERS = 4_000;

export class MemoryStore {
  constructor(private readonly database: DatabaseSync) {}

  /** One entry for each key of an agent: the newer one stays. */
  keep(entry: Omit<Memory, 'timestamp'>, at = new Date()): void {
    this.forget(entry.key, entry.agent);
    this.database
      .prepare('INSERT INTO memories (content, key, category, agent, timestamp) VALUES (?, ?, ?, ?, ?)')
      .run(entry.content, entry.key, entry.category, entry.agent, at.toISOString());
  }

  /** Newest first, or best first where words are given. */
  find({ query, category, since, until, agent }: MemoryQuery, limit = LISTED): Memory[] {
    const words = query === undefined ? undefined : matchOf(query);
    if (query !== undefined && words === undefined) return [];
    const conditions: [string, string | undefined][] = [
      ['memories MATCH ?', words],
      ['category = ?', category],
      ['timestamp >= ?', since],
      ['timestamp <= ?', until],
      ['agent = ?', agent],
    ];
    const asked = conditions.filter((condition): condition is [string, string] => condition[1] !== undefined);
    const where = asked.length === 0 ? '' : `WHERE ${asked.map(([text]) => text).join(' AND ')}`;
    return this.database
      .prepare(
        `SELECT key, content, category, agent, timestamp FROM memories ${where} ORDER BY ${words ? 'rank' : 'timestamp DESC'} LIMIT ${limit}`,
      )
      .all(...asked.map(([, value]) => value)) as never;
  }

  /** @returns whether there was one. */
  forget(key: string, agent?: string): boolean {
    const by = agent === undefined ? [] : [agent];
    const { changes } = this.database
      .prepare(`DELETE FROM memories WHERE key = ?${agent === undefined ? '' : ' AND agent = ?'}`)
      .run(key, ...by);
    return Number(changes) > 0;
  }

  /** What goes before a message that shares words with what is remembered; empty where nothing does. */
  recall(message: string, agent: string): string {
    const found = this.find({ query: message, agent }, RECALLED);
    if (found.length === 0) return '';
    const lines = found.map(({ key, content }) => `- ${JSON.stringify({ key, content })}`);
    return `[Memory context]\n${lines.join('\n').slice(0, MAX_RECALL_CHARACTERS)}\n[/Memory context]\n\n`;
  }
}

/** Any of the words, each as a literal; undefined where there is none. */
function matchOf(query: string): string | undefined {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])].slice(0, 32);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(' OR ');
}
