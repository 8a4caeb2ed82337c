/** An MCP client of 2024-11-05 as a pod has it, written out by hand so that nothing smooths over what the broker sends. For specs only. */
import type { Talk, TestBed } from './broker.fixture.ts';

/** A raw client of 2024-11-05, as our runtime and ZeroClaw are: one POST, one JSON document. */
export class RawClient {
  readonly #url: string;
  readonly #token: string;
  session: string | undefined;
  #id = 0;
  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  post(body: unknown, signal?: AbortSignal): Promise<Response> {
    return fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.#token}`,
        ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async initialize(name = 'bravo-agent-runtime'): Promise<Response> {
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name, version: '1' } };
    const response = await this.post({ jsonrpc: '2.0', id: ++this.#id, method: 'initialize', params });
    this.session = response.headers.get('mcp-session-id') ?? undefined;
    return response;
  }

  async request(method: string, params: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
    const response = await this.post({ jsonrpc: '2.0', id: ++this.#id, method, params }, signal);
    return (await response.json()) as Record<string, unknown>;
  }

  async call(name: string, given: object, signal?: AbortSignal): Promise<{ text: string; isError: boolean }> {
    const { result, error } = (await this.request('tools/call', { name, arguments: given }, signal)) as {
      result?: { content: { text: string }[]; isError?: boolean };
      error?: unknown;
    };
    if (result === undefined) throw new Error(`no result: ${JSON.stringify(error)}`);
    return { text: result.content[0]?.text ?? '', isError: result.isError === true };
  }
}

export const openClient = async (
  bed: TestBed,
  talk: Pick<Talk, 'token'>,
  name = 'bravo-agent-runtime',
): Promise<RawClient> => {
  const client = new RawClient(bed.broker.mcpUrl, talk.token);
  await client.initialize(name);
  return client;
};
