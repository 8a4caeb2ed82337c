/** What the agents of this process did, without what was said: the last 500 events, and everybody who listens for the next. */

export interface AgentEvent {
  readonly type:
    'llm_request' | 'tool_call_start' | 'tool_call' | 'agent_start' | 'agent_end' | 'history_trimmed' | 'error';
  readonly [field: string]: unknown;
}

const KEPT = 500;

export class EventLog {
  readonly #events: AgentEvent[] = [];
  readonly #listeners = new Set<(event: AgentEvent) => void>();

  add(event: AgentEvent): void {
    const told = { ...event, timestamp: new Date().toISOString() };
    this.#events.push(told);
    if (this.#events.length > KEPT) this.#events.shift();
    for (const listener of this.#listeners) listener(told);
  }

  get history(): readonly AgentEvent[] {
    return this.#events;
  }

  /** @returns what stops it. */
  listen(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
