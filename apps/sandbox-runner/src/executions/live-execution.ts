/** The events of one running execution, kept until it is recorded, so that everyone who asks sees all of them in order. */
import type { ExecutionEvent } from './execution.ts';

export class LiveExecution {
  readonly requestDigest: string;
  readonly #abort = new AbortController();
  readonly #events: ExecutionEvent[] = [];
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #wake: (() => void)[] = [];

  constructor(requestDigest: string) {
    this.requestDigest = requestDigest;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(): void {
    this.#abort.abort();
  }

  push(event: ExecutionEvent): void {
    this.#events.push(event);
    this.#ring();
  }

  end(): void {
    this.#ended = true;
    this.#ring();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.end();
  }

  /** From the first event on; throws what the execution failed with. Going away does not stop the program. */
  async *watch(): AsyncGenerator<ExecutionEvent> {
    for (let next = 0; ;) {
      const event = this.#events[next];
      if (event !== undefined) {
        next += 1;
        yield event;
      } else if (this.#ended) {
        if (this.#failure !== undefined) throw this.#failure.error;
        return;
      } else {
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
    }
  }

  #ring(): void {
    const woken = this.#wake;
    this.#wake = [];
    for (const wake of woken) wake();
  }
}
