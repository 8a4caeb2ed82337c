/**
 * One MCP session with the broker over Streamable HTTP: plain JSON, a static bearer, one request at a time.
 *
 * A request whose outcome is unknown is never sent again: when the session is gone (404 or 410) it is opened anew for
 * the *next* request, and the failed one is reported as failed.
 */

const PROTOCOL_VERSION = '2024-11-05';
const HANDSHAKE_MS = 30_000;
const CLIENT_INFO = { name: 'bravo-agent-runtime', version: '0.1.0' };

/** The request failed; the message is fit for the model and the log. */
export class McpError extends Error {}

export class McpSession {
  #sessionId: string | undefined;
  #ready = false;
  #nextId = 1;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Sends one request after all earlier ones, opening the session first when there is none. Answers its `result`. */
  async request(method: string, params: object, timeoutMs: number, signal: AbortSignal): Promise<Record<string, unknown>> {
    const turn = this.#queue.then(async () => {
      signal.throwIfAborted();
      if (!this.#ready) await this.#initialize(signal);
      return this.#send(method, params, timeoutMs, signal);
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #initialize(signal: AbortSignal): Promise<void> {
    this.#sessionId = undefined;
    const hello = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
    await this.#send('initialize', hello, HANDSHAKE_MS, signal);
    const response = await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, HANDSHAKE_MS, signal);
    await response.body?.cancel();
    if (!response.ok) throw new McpError(`The tool server refused the session with status ${response.status}.`);
    this.#ready = true;
  }

  async #send(method: string, params: object, timeoutMs: number, signal: AbortSignal): Promise<Record<string, unknown>> {
    const id = this.#nextId++;
    const response = await this.#post({ jsonrpc: '2.0', id, method, params }, timeoutMs, signal);
    if (response.status === 404 || response.status === 410) {
      this.#ready = false;
      await response.body?.cancel();
      throw new McpError('The session with the tool server ended, and the call was not repeated.');
    }
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      throw new McpError(`The tool server did not accept the agent token (status ${response.status}).`);
    }
    this.#sessionId = response.headers.get('mcp-session-id') ?? this.#sessionId;
    return readResult(response, id, timeoutMs);
  }

  async #post(message: object, timeoutMs: number, signal: AbortSignal): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await fetch(this.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
        },
        body: JSON.stringify(message),
        signal: AbortSignal.any([signal, timeout]),
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (timeout.aborted) throw timedOut(timeoutMs);
      const cause = (error as { cause?: { code?: string; message?: string } }).cause;
      throw new McpError(`The tool server could not be reached (${cause?.code ?? cause?.message ?? 'connection failed'}).`);
    }
  }
}

interface RpcReply {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code?: number; message?: string };
}

async function readResult(response: Response, id: number, timeoutMs: number): Promise<Record<string, unknown>> {
  if (!(response.headers.get('content-type') ?? '').startsWith('application/json')) {
    await response.body?.cancel();
    throw new McpError(`The tool server answered status ${response.status} without plain JSON.`);
  }
  let reply: RpcReply | null;
  try {
    reply = (await response.json()) as RpcReply | null;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') throw timedOut(timeoutMs);
    if ((error as Error).name === 'AbortError') throw error;
    throw new McpError('The answer of the tool server was cut off or is no JSON; whether the call took effect is not known.');
  }
  if (reply?.error) throw new McpError(reply.error.message ?? `The tool server refused the request (${reply.error.code}).`);
  if (reply?.id !== id || typeof reply.result !== 'object') {
    throw new McpError('The tool server answered something that is no result of the request.');
  }
  return reply.result;
}

function timedOut(timeoutMs: number): McpError {
  return new McpError(`No answer came within ${timeoutMs / 1_000} s; whether the call took effect is not known.`);
}
