/**
 * One MCP session with the broker over Streamable HTTP: plain JSON and a static bearer. It is opened once and kept for all
 * conversations of the process: ids are never used twice in it, and whoever needs order sends one request after another.
 *
 * A request whose outcome is unknown is never sent again: when the session is gone (404 or 410) it is opened anew for
 * the *next* request, and the failed one is reported as failed.
 */
import { postJson, readText, reasonOf } from './post-json.client.ts';
import type { PostAnswer } from './post-json.client.ts';

const PROTOCOL_VERSION = '2024-11-05';
const HANDSHAKE_MS = 30_000;
const MAX_ANSWER_BYTES = 16_000_000;
const CLIENT_INFO = { name: 'bravo-agent-runtime', version: '0.1.0' };

/** The request failed; the message is fit for the model and the log. */
export class McpError extends Error {}

export class McpSession {
  #sessionId: string | undefined;
  #opened: Promise<void> | undefined;
  #nextId = 1;

  constructor(
    private readonly url: string,
    /** Value of the header `authorization`; undefined for none. */
    private readonly authorization: string | undefined,
  ) {}

  /** Opens the session first when there is none. Answers the request's `result`. */
  async request(
    method: string,
    params: object,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    signal.throwIfAborted();
    await unlessAborted(this.#open(), signal);
    return this.#send(method, params, timeoutMs, signal);
  }

  /** Of everybody who waits for it, so no single request's end breaks it off. */
  #open(): Promise<void> {
    if (this.#opened) return this.#opened;
    const opening = this.#initialize();
    this.#opened = opening;
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return opening;
  }

  async #initialize(): Promise<void> {
    this.#sessionId = undefined;
    const { signal } = new AbortController();
    const hello = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
    await this.#send('initialize', hello, HANDSHAKE_MS, signal);
    const { status } = await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, HANDSHAKE_MS, signal);
    if (status >= 300) throw new McpError(`The tool server refused the session with status ${status}.`);
  }

  async #send(
    method: string,
    params: object,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const id = this.#nextId++;
    const { status, headers, text } = await this.#post({ jsonrpc: '2.0', id, method, params }, timeoutMs, signal);
    if (status === 404 || status === 410) {
      this.#opened = undefined;
      throw new McpError('The session with the tool server ended, and the call was not repeated.');
    }
    if (status === 401 || status === 403)
      throw new McpError(`The tool server did not accept the agent token (status ${status}).`);
    this.#sessionId = headers['mcp-session-id']?.toString() ?? this.#sessionId;
    if (!(headers['content-type'] ?? '').startsWith('application/json')) {
      throw new McpError(`The tool server answered status ${status} without plain JSON.`);
    }
    return readResult(text, id);
  }

  /** Reads the whole answer: the timeout covers it, because a held call answers late and at once. */
  async #post(
    message: object,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Omit<PostAnswer, 'body'> & { text: string }> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const headers = {
      ...(this.authorization !== undefined && { authorization: this.authorization }),
      accept: 'application/json, text/event-stream',
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
    };
    let begun = false;
    try {
      const answer = await postJson(this.url, headers, message, AbortSignal.any([signal, timeout]));
      begun = true;
      return { status: answer.status, headers: answer.headers, text: await readText(answer.body, MAX_ANSWER_BYTES) };
    } catch (error) {
      if (signal.aborted) throw error;
      if (timeout.aborted)
        throw new McpError(`No answer came within ${timeoutMs / 1_000} s; whether the call took effect is not known.`);
      if (!begun && (error as NodeJS.ErrnoException).code === 'ECONNREFUSED')
        throw new McpError('The tool server could not be reached.');
      throw new McpError(
        `The connection to the tool server ended (${reasonOf(error)}); whether the call took effect is not known.`,
      );
    }
  }
}

const unlessAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
};

interface RpcReply {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code?: number; message?: string };
}

function readResult(text: string, id: number): Record<string, unknown> {
  let reply: RpcReply | null;
  try {
    reply = JSON.parse(text) as RpcReply | null;
  } catch {
    throw new McpError('The answer of the tool server is no JSON; whether the call took effect is not known.');
  }
  if (reply?.error)
    throw new McpError(reply.error.message ?? `The tool server refused the request (${reply.error.code}).`);
  if (reply?.id !== id || typeof reply.result !== 'object') {
    throw new McpError('The tool server answered something that is no result of the request.');
  }
  return reply.result;
}
