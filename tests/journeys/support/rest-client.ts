/** A client of the public API as a customer would write one: JSON, bearer token, server-sent events. Knows nothing of the inside. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Journeys read many shapes; each asserts the fields that it uses.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface SseEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const TERMINAL = ['message_end', 'error'];
const PATIENCE_MS = 45_000;

/** The events of one response, kept in order; waiting for one never loses those before it. */
export class EventLog {
  readonly events: SseEvent[] = [];
  ended = false;
  #wake: () => void = () => undefined;
  readonly #abort: AbortController;

  constructor(response: Response, abort: AbortController) {
    this.#abort = abort;
    void this.#read(response);
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ id, event, data }: EventSourceMessage) => {
        this.events.push({ id: id ?? '', event: event ?? 'message', data: JSON.parse(data) as Record<string, unknown> });
        this.#wake();
      },
    });
    try {
      if (!response.body) throw new Error('the response has no body');
      for await (const chunk of response.body) parser.feed(decoder.decode(chunk, { stream: true }));
    } catch {
      // A cut connection ends the log; what came is kept.
    }
    this.ended = true;
    this.#wake();
  }

  /** The first event that fits, past or future. */
  async until(name: string | ((event: SseEvent) => boolean), patienceMs = PATIENCE_MS): Promise<SseEvent> {
    const fits = typeof name === 'string' ? (event: SseEvent) => event.event === name : name;
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const found = this.events.find(fits);
      if (found) return found;
      if (this.ended || Date.now() > deadline) {
        throw new Error(`No ${typeof name === 'string' ? name : 'fitting event'} came; ${this.ended ? 'the stream ended' : 'waited long enough'} after ${JSON.stringify(this.events.slice(-12))}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  terminal(patienceMs = PATIENCE_MS): Promise<SseEvent> {
    return this.until((event) => TERMINAL.includes(event.event), patienceMs);
  }

  count(name: string): number {
    return this.events.filter((event) => event.event === name).length;
  }

  /** All text the agent streamed. */
  text(): string {
    return this.events
      .filter((event) => event.event === 'content_delta')
      .map((event) => event.data['delta'])
      .join('');
  }

  close(): void {
    this.#abort.abort();
  }
}

export class RestClient {
  readonly base: string;
  readonly token: string;
  readonly workspace: string;
  readonly #created: string[] = [];

  constructor(base: string, token: string, workspace: string) {
    this.base = base;
    this.token = token;
    this.workspace = workspace;
  }

  at(base: string): RestClient {
    return new RestClient(base, this.token, this.workspace);
  }

  /** `path` below /api/v1/<workspace>. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await fetch(`${this.base}/api/v1/${this.workspace}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = text === '' ? undefined : JSON.parse(text);
    } catch {
      // Not JSON: kept as text.
    }
    return { status: response.status, headers: response.headers, body: parsed };
  }

  /** @throws Error with the problem when the answer is not a success. */
  async get(path: string): Promise<Reply['body']> {
    return this.#success('GET', path, undefined);
  }

  async send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Reply['body']> {
    return this.#success(method, path, body);
  }

  async #success(method: string, path: string, body: unknown): Promise<Reply['body']> {
    const reply = await this.call(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async createConversation(fields: Record<string, unknown> = {}): Promise<string> {
    const { id } = (await this.send('POST', '/bravo/conversations', fields)) as { id: string };
    this.#created.push(id);
    return id;
  }

  /** Conversations this client began and has not ended by `endConversations`. */
  get created(): readonly string[] {
    return this.#created;
  }

  /** Ends what this client began; a workspace runs only so many conversations at once. */
  async endConversations(): Promise<void> {
    for (const id of this.#created.splice(0)) await this.call('DELETE', `/bravo/conversations/${id}`);
  }

  async stream(method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}): Promise<EventLog> {
    const abort = new AbortController();
    const response = await fetch(`${this.base}/api/v1/${this.workspace}${path}`, {
      method,
      signal: abort.signal,
      headers: { authorization: `Bearer ${this.token}`, accept: 'text/event-stream', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return new EventLog(response, abort);
  }

  say(conversation: string, content: string, headers: Record<string, string> = {}): Promise<EventLog> {
    return this.stream('POST', `/bravo/conversations/${conversation}/messages`, { content }, headers);
  }

  /** All events after a position ('' or absent: from now on). */
  follow(conversation: string, after?: string): Promise<EventLog> {
    return this.stream('GET', `/bravo/conversations/${conversation}/events${after ? `?after=${encodeURIComponent(after)}` : ''}`);
  }

  answer(conversation: string, toolCall: string, decision: 'approve' | 'deny', body: Record<string, unknown> = {}): Promise<Reply> {
    return this.call('POST', `/bravo/conversations/${conversation}/tool-calls/${toolCall}/${decision}`, body);
  }

  /** The trail of one conversation, oldest first. */
  async trail(conversation: string): Promise<{ type: string; actor: string; data: Record<string, unknown> }[]> {
    const body = (await this.get(`/audit?conversation=${conversation}&order=asc&limit=200`)) as { entries: { type: string; actor: string; data: Record<string, unknown> }[] };
    return body.entries;
  }
}
