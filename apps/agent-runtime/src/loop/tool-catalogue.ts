/**
 * Knows the tools listed at the start, for `/api/tools`, and keeps asking while the broker cannot be reached.
 *
 * A tool server that is away means no tools, never a crash; the answer is never made up from an older list.
 */
import type { OfferedTool } from './conversation.ts';
import type { ToolServer } from './tool-server.ts';

export interface ComponentStatus {
  readonly status: 'starting' | 'ok' | 'error';
  readonly lastOk: Date | null;
  readonly lastError: string | null;
}

export class ToolCatalogue {
  #tools: OfferedTool[] = [];
  #status: ComponentStatus = { status: 'starting', lastOk: null, lastError: null };
  #listing: Promise<void> | undefined;

  constructor(
    private readonly server: ToolServer,
    private readonly log: (message: string) => void,
  ) {}

  get status(): ComponentStatus {
    return this.#status;
  }

  /** The listed tools; asks once more when no listing has succeeded yet (one attempt at a time). */
  async tools(): Promise<readonly OfferedTool[]> {
    if (this.#status.lastOk === null) await (this.#listing ??= this.#list().finally(() => (this.#listing = undefined)));
    return this.#tools;
  }

  async #list(): Promise<void> {
    try {
      this.#tools = await this.server.listTools(new AbortController().signal);
      this.#status = { status: 'ok', lastOk: new Date(), lastError: null };
    } catch (error) {
      const message = (error as Error).message;
      if (this.#status.lastError !== message) this.log(`tools could not be listed: ${message}`);
      this.#status = { status: 'error', lastOk: null, lastError: message };
    }
  }
}
