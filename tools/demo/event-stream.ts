/**
 * Cuts a server-sent event stream into events, however the network cuts it into chunks. Comments are dropped.
 * (The parser package we use elsewhere offers its TypeScript under the export condition that our tools run with.)
 */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export class EventStreamParser {
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  /** Events completed by this chunk. A line that has not ended yet waits for the next one. */
  feed(chunk: string): StreamEvent[] {
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): StreamEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id') this.#id = value;
    return [];
  }

  #dispatch(): StreamEvent[] {
    const [data, event] = [this.#data, this.#event];
    this.#data = [];
    this.#event = '';
    return data.length === 0 ? [] : [{ id: this.#id, event: event || 'message', data: data.join('\n') }];
  }
}
