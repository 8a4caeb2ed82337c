/** The least a client of MCP over HTTP needs, the same for both sides, so that only the servers differ. */

export class McpClient {
  readonly #url: string;
  readonly #token: string;
  #session: string | undefined;
  #id = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  async #post(message: object): Promise<string> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.#token}`,
        ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify(message),
    });
    this.#session ??= response.headers.get('mcp-session-id') ?? undefined;
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.#url} answered ${response.status}: ${text}`);
    return text;
  }

  async open(): Promise<void> {
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'bravo-agent-runtime', version: '1' },
    };
    await this.#post({ jsonrpc: '2.0', id: ++this.#id, method: 'initialize', params });
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** @throws Error when the answer is no result, or one of an error. */
  async call(name: string, given: object): Promise<void> {
    const text = await this.#post({
      jsonrpc: '2.0',
      id: ++this.#id,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    if (!text.includes('"result"') || text.includes('"isError":true'))
      throw new Error(`${name} failed: ${text.slice(0, 500)}`);
  }
}
