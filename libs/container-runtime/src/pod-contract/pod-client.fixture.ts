/** A client of the pod contract for its suite: bearer calls, and a chat whose frames are kept in order and never lost. */
import { WebSocket } from 'ws';
import type { PodTarget } from './pod-target.ts';

export type Frame = { readonly type: string } & Readonly<Record<string, unknown>>;
export const TERMINAL_CODES = ['AUTH_ERROR', 'PROVIDER_ERROR', 'AGENT_ERROR'];
const PATIENCE_MS = 20_000;

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** `options.token` null sends none. */
export const call = async (
  { baseUrl, token }: PodTarget,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly token?: string | null; readonly headers?: Record<string, string> } = {},
): Promise<Reply> => {
  const bearer = options.token === undefined ? token : options.token;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && {
      body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
    }),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return { status: response.status, body: { text } };
  }
};

/** Tried until it is so. */
export const until = async <T>(
  what: string,
  look: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<T>> => {
  for (const deadline = Date.now() + patienceMs; ;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${patienceMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

export class ChatClient {
  readonly frames: Frame[] = [];
  closeCode: number | undefined;
  readonly socket: WebSocket;
  #seen = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.frames.push(JSON.parse(String(data)) as Frame));
    socket.on('close', (code) => (this.closeCode = code));
    socket.on('error', () => undefined);
  }

  static async open(
    { baseUrl, token }: PodTarget,
    session: string,
    { agent = 'worker', query = '' } = {},
  ): Promise<ChatClient> {
    const url = `${baseUrl.replace(/^http/, 'ws')}/ws/chat?agent=${agent}&session_id=${session}${query}`;
    const socket = new WebSocket(url, ['zeroclaw.v1'], { headers: { authorization: `Bearer ${token}` } });
    const client = new ChatClient(socket);
    await client.next('session_start');
    return client;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  say(content: string): void {
    this.send({ type: 'message', content });
  }

  /** The next frame of one of these types, after the last that was waited for. */
  async next(...types: readonly string[]): Promise<Frame> {
    return until(`a frame of ${types.join(' or ')} after ${JSON.stringify(this.frames.slice(-4))}`, () => {
      const index = this.frames.findIndex((frame, at) => at >= this.#seen && types.includes(frame.type));
      if (index === -1) return undefined;
      this.#seen = index + 1;
      return this.frames[index];
    });
  }

  /** The end of the turn that runs: done, aborted, or an error that ends one. */
  async end(): Promise<Frame> {
    for (;;) {
      const frame = await this.next('done', 'aborted', 'error');
      if (frame.type !== 'error' || TERMINAL_CODES.includes(String(frame['code']))) return frame;
    }
  }

  /** What was streamed, joined. */
  text(): string {
    return this.frames.map((frame) => (frame.type === 'chunk' ? String(frame['content']) : '')).join('');
  }

  terminals(): number {
    return this.frames.filter(
      ({ type, code }) =>
        ['done', 'aborted'].includes(type) || (type === 'error' && TERMINAL_CODES.includes(String(code))),
    ).length;
  }

  close(): void {
    this.socket.close();
  }
}

/** What a WebSocket upgrade is answered with, and the subprotocol that was taken. */
export const upgrade = (
  { baseUrl }: PodTarget,
  query: string,
  { protocols = [] as string[], headers = {} as Record<string, string> } = {},
): Promise<{ readonly status: number; readonly protocol: string }> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/ws/chat?${query}`, protocols, { headers });
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      resolve({ status: response.statusCode ?? 0, protocol: '' });
      response.destroy();
    });
    socket.on('open', () => {
      resolve({ status: 101, protocol: socket.protocol });
      socket.terminate();
    });
  });
