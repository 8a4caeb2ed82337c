/** A program in the pod's place: it has what a pod has, a token and two addresses, says whatever it likes, and keeps every byte that comes back. */

export interface Attached {
  readonly conversation: string;
  readonly token: string;
  readonly mcp_url: string;
  readonly model_url: string;
}

export interface Heard {
  /** 0 where the server cut a message off while it was still sent, as it may do with one that is too large. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ToolReply extends Heard {
  /** The words of the result, or of the JSON-RPC error. */
  readonly out: string;
  /** An error of HTTP, of JSON-RPC, or a result that is one. */
  readonly refused: boolean;
}

interface RpcAnswer {
  readonly result?: { readonly content?: { readonly text?: string }[]; readonly isError?: boolean };
  readonly error?: { readonly message?: string };
}

const MODERN = '2026-07-28';

export class PodSeat {
  readonly conversation: string;
  readonly token: string;
  readonly mcpUrl: string;
  readonly modelUrl: string;
  /** Status, headers and body of every answer. */
  readonly heard: string[] = [];
  #id = 0;

  constructor({ conversation, token, mcp_url, model_url }: Attached) {
    this.conversation = conversation;
    this.token = token;
    this.mcpUrl = mcp_url;
    this.modelUrl = model_url;
  }

  async send(url: string, body: unknown, { headers = {}, signal, method = 'POST' }: { headers?: Record<string, string>; signal?: AbortSignal; method?: string } = {}): Promise<Heard> {
    const sent = method === 'GET' ? undefined : typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        ...(sent === undefined ? {} : { body: sent as BodyInit }),
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if ((sent?.length ?? 0) < 1_000_000 || signal?.aborted) throw error;
      return { status: 0, headers: new Headers(), text: 'cut off while it was sent' };
    }
    const text = await response.text();
    const lines: string[] = [`${response.status} ${response.statusText}`];
    response.headers.forEach((value, name) => lines.push(`${name}: ${value}`));
    this.heard.push([...lines, '', text].join('\n'));
    return { status: response.status, headers: response.headers, text };
  }

  async rpc(method: string, params: unknown, options: { headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<ToolReply> {
    return toReply(await this.send(this.mcpUrl, { jsonrpc: '2.0', id: ++this.#id, method, params }, options));
  }

  /** `args` as a text is put into the message as it is. */
  async call(tool: string, args: unknown, signal?: AbortSignal): Promise<ToolReply> {
    const given = typeof args === 'string' ? args : JSON.stringify(args);
    const body = `{"jsonrpc":"2.0","id":${++this.#id},"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":${given}}}`;
    return toReply(await this.send(this.mcpUrl, body, signal ? { signal } : {}));
  }

  /** A call of the newest revision, by a client that says it can open a page. */
  callModern(tool: string, args: unknown, more: Record<string, unknown>, signal?: AbortSignal): Promise<ToolReply> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'hostile', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {}, form: {} } },
    };
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': tool };
    return this.rpc('tools/call', { name: tool, arguments: args, ...more, _meta }, { headers, ...(signal ? { signal } : {}) });
  }

  complete(body: unknown): Promise<Heard> {
    return this.send(`${this.modelUrl}/chat/completions`, body);
  }
}

const toReply = (heard: Heard): ToolReply => {
  let answer: RpcAnswer = {};
  try {
    // A modern answer may come as one event.
    answer = JSON.parse(heard.text.replace(/^(?:event:.*\n|id:.*\n)*data: /, '')) as RpcAnswer;
  } catch {
    // Not JSON: only the status speaks.
  }
  const out = answer.result?.content?.map(({ text }) => text ?? '').join('\n') ?? answer.error?.message ?? heard.text;
  return { ...heard, out, refused: heard.status >= 400 || answer.error !== undefined || answer.result?.isError === true };
};

/** What a promise came to within the time, or that it is still open. */
export const within = async <T>(ms: number, promise: Promise<T>): Promise<T | 'held'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'held'>((resolve) => {
    timer = setTimeout(() => resolve('held'), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

export const describeReply = (reply: ToolReply | Heard | 'held'): string => {
  if (reply === 'held') return 'held, waiting for a person';
  const words = 'out' in reply ? reply.out : reply.text;
  return `${reply.status} ${words.replace(/\s+/g, ' ').slice(0, 110)}`.trim();
};
