/** What the platform needs of a message bus. Streams are transport: the record is in Postgres, so losing a stream loses nothing. */

export type StreamName = 'EVENTS' | 'WORK' | 'TURNS';

export interface BusMessage {
  readonly subject: string;
  /** Position in the stream, from 1. */
  readonly sequence: number;
  readonly body: string;
  /** 1 for the first delivery. */
  readonly deliveries: number;
}

export interface ConsumeOptions {
  readonly stream: StreamName;
  /** Replicas with the same name share the work; each message goes to one of them. */
  readonly durable: string;
  readonly filter?: string;
  /** Where a durable that has no place yet begins: with the oldest message the stream holds, or with the next one. */
  readonly from: 'first' | 'new';
  /**
   * Acknowledged when it resolves, delivered again later when it rejects. One at a time, in order: a message that is
   * rejected holds up all behind it, so reject only what can get better.
   */
  handle(message: BusMessage): Promise<void>;
  /** Told of each failure, once per delivery. */
  onError(error: unknown, message: BusMessage | undefined): void;
}

export interface ConsumeBatchesOptions extends Omit<ConsumeOptions, 'handle'> {
  /** The most that is handed over at once. */
  readonly size: number;
  /**
   * Whatever waits, in order, at least one. Acknowledged when it resolves; when it rejects, the same batch is handed over again
   * after a pause, so order is kept and nothing is skipped: reject only what can get better. What another consumer of the same
   * durable had in hand when it died is taken before anything newer.
   */
  handle(messages: readonly BusMessage[]): Promise<void>;
}

export interface Bus {
  /** Creates the streams that are missing. Idempotent. */
  ensureStreams(names: readonly StreamName[]): Promise<void>;
  /**
   * Resolves once the stream holds the message; the same id within two minutes is stored once. A restart of the server is
   * ridden out for some seconds. @throws when it lasts longer, or at once when the publisher has no right to the subject.
   */
  publish(
    stream: StreamName,
    subject: string,
    body: string,
    id: string,
  ): Promise<{ sequence: number; duplicate: boolean }>;
  /** Goes on through restarts of the server until stopped. */
  consume(options: ConsumeOptions): { stop(): Promise<void> };
  /** As `consume`, many at once. Order holds while one process consumes the durable. */
  consumeBatches(options: ConsumeBatchesOptions): { stop(): Promise<void> };
  /** Messages of one subject after a position, then the live ones, in order, until the signal aborts. */
  read(stream: StreamName, subject: string, afterSequence: number, signal: AbortSignal): AsyncIterable<BusMessage>;
  /** Position of the newest message of the subject, 0 when there is none. */
  lastSequence(stream: StreamName, subject: string): Promise<number>;
  /**
   * Bounds of the whole stream: positions below `first` are gone, positions above `last` never were. A stream that was lost and
   * made anew counts from 1 again: `created` tells the two apart.
   */
  bounds(stream: StreamName): Promise<{ first: number; last: number; created: Date }>;
  /** Messages a durable consumer has not acknowledged yet: those that wait and the one in hand. */
  backlog(stream: StreamName, durable: string): Promise<number>;
  /** Tells whoever listens now; nothing is kept. */
  announce(subject: string, body: string): void;
  listen(subject: string, handle: (subject: string, body: string) => void): { stop(): void };
  /** Rejects when the server does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
