/** The public REST API as the demo uses it: a bearer token, JSON, and the event stream of a turn; it knows nothing of the inside. */
import { EventStreamParser } from './event-stream.ts';

export interface TurnEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TrailEntry {
  readonly type: string;
  readonly actor: string;
  readonly time?: string;
}

export interface Verification {
  readonly ok: boolean;
  readonly size: number;
  readonly checkpoint_size: number;
}

export class BravoApi {
  readonly #base: string;
  readonly #token: string;

  constructor(gatewayUrl: string, token: string, workspace: string) {
    this.#base = `${gatewayUrl}/api/v1/${workspace}`;
    this.#token = token;
  }

  async #fetch(method: string, path: string, accept: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      const problem = (await response.json().catch(() => ({}))) as { title?: string; detail?: string };
      throw new Error(`${method} ${path}: ${problem.detail ?? problem.title ?? `HTTP ${response.status}`}`);
    }
    return response;
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await (await this.#fetch(method, path, 'application/json', body)).json()) as T;
  }

  async createConversation(title: string): Promise<string> {
    return (await this.#json<{ id: string }>('POST', '/bravo/conversations', { title })).id;
  }

  async endConversation(conversation: string): Promise<void> {
    await this.#fetch('DELETE', `/bravo/conversations/${conversation}`, 'application/json');
  }

  /** Ends after the turn's one message_end or error, or when the connection does. */
  async *sendMessage(conversation: string, content: string): AsyncGenerator<TurnEvent> {
    const response = await this.#fetch('POST', `/bravo/conversations/${conversation}/messages`, 'text/event-stream', {
      content,
    });
    const parser = new EventStreamParser();
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      for (const { id, event, data } of parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))) {
        yield { id, event, data: JSON.parse(data) as Record<string, unknown> };
        if (event === 'message_end' || event === 'error') return;
      }
    }
  }

  async answer(
    conversation: string,
    toolCall: string,
    decision: 'approve' | 'deny',
    body: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.#fetch(
      'POST',
      `/bravo/conversations/${conversation}/tool-calls/${toolCall}/${decision}`,
      'application/json',
      body,
    );
  }

  /** What a person may see of a quarantined result. */
  async slot(conversation: string, number: number): Promise<unknown> {
    return this.#json('GET', `/bravo/conversations/${conversation}/slots/${number}`);
  }

  async trail(conversation: string): Promise<readonly TrailEntry[]> {
    const path = `/audit?conversation=${encodeURIComponent(conversation)}&order=asc&limit=200`;
    return (await this.#json<{ entries: TrailEntry[] }>('GET', path)).entries;
  }

  verify(): Promise<Verification> {
    return this.#json('GET', '/audit/verify');
  }
}
