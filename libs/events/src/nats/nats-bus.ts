/** The bus on NATS JetStream: survives restarts of the server, also one that comes back with empty streams. */
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
  type ConsumerMessages,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, PermissionViolationError, TimeoutError } from '@nats-io/transport-node';
import {
  type Bus,
  type BusMessage,
  type ConsumeBatchesOptions,
  type ConsumeOptions,
  type StreamName,
} from '../bus.port.ts';
import { ACK_WAIT_MS, batchesOf, deliver, pause, toBusMessage } from './deliver.ts';
import { inboxPrefix } from './permissions.ts';
import { STREAMS } from './streams.ts';

export interface NatsOptions {
  readonly url: string;
  /** Empty where the server asks for none. */
  readonly user: string;
  readonly password: string;
  /** Shown by the server's own monitoring. */
  readonly name: string;
}

const PAUSE_MS = 300;
/** A publish that a restart swallowed is told by silence only, so each try is short; the id keeps a second one harmless. */
const PUBLISH_TRY_MS = 1_000;
const PUBLISH_LIMIT_MS = 8_000;
const PUBLISH_PAUSE_MS = 100;
const MANAGE_TRY_MS = 2_000;
const CONSUMER_EXISTS = [10_013, 10_105, 10_148];

/** @throws Error saying where it could not connect and why. */
export const connectNatsBus = async ({ url, user, password, name }: NatsOptions): Promise<Bus> => {
  const connection = await connect({
    servers: url,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
    ...(user ? { user, pass: password, inboxPrefix: inboxPrefix(user) } : {}),
  }).catch((cause: unknown) => {
    throw new Error(
      `NATS at ${url} cannot be reached as user "${user || '(none)'}": ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  });
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: MANAGE_TRY_MS });
  return new NatsBus(connection, manager, jetstream(connection));
};

class NatsBus implements Bus {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;

  constructor(connection: NatsConnection, manager: JetStreamManager, client: JetStreamClient) {
    this.#connection = connection;
    this.#manager = manager;
    this.#client = client;
  }

  async ensureStreams(names: readonly StreamName[]): Promise<void> {
    for (const name of names) {
      try {
        await this.#manager.streams.info(name);
      } catch (error) {
        if (!isMissing(error)) throw error;
        await this.#manager.streams.add(STREAMS[name]);
      }
    }
  }

  async publish(
    stream: StreamName,
    subject: string,
    body: string,
    id: string,
  ): Promise<{ sequence: number; duplicate: boolean }> {
    const limit = Date.now() + PUBLISH_LIMIT_MS;
    for (;;) {
      try {
        const options = { msgID: id, timeout: PUBLISH_TRY_MS, expect: { streamName: stream } };
        const { seq, duplicate } = await this.#client.publish(subject, body, options);
        return { sequence: seq, duplicate };
      } catch (error) {
        if (this.#connection.isClosed() || isForbidden(error) || Date.now() > limit) throw error;
        // The stream may be gone with the server's disk; the message is not, so put both back.
        if (!(error instanceof TimeoutError)) await this.ensureStreams([stream]).catch(() => undefined);
        await pause(PUBLISH_PAUSE_MS);
      }
    }
  }

  consume(options: ConsumeOptions): { stop(): Promise<void> } {
    return this.#consume(options, 1, async (messages) => {
      for await (const message of messages) await deliver(message, options);
    });
  }

  consumeBatches(options: ConsumeBatchesOptions): { stop(): Promise<void> } {
    return this.#consume(options, options.size, (messages, stopped) => batchesOf(messages, options, stopped), true);
  }

  #consume(
    options: Omit<ConsumeOptions, 'handle'>,
    inHand: number,
    take: (messages: ConsumerMessages, stopped: () => boolean) => Promise<void>,
    inOrder = false,
  ): { stop(): Promise<void> } {
    let stopped = false;
    let halt: () => void = () => undefined;
    const loop = async () => {
      while (!stopped && !this.#connection.isClosed()) {
        try {
          await this.ensureStreams([options.stream]);
          await this.#ensureConsumer(options, inHand);
          if (inOrder) await this.#letGo(options, () => stopped);
          const consumer = await this.#client.consumers.get(options.stream, options.durable);
          const messages = await consumer.consume({
            max_messages: inHand,
            expires: 5_000,
            abort_on_missing_resource: true,
          });
          halt = () => messages.stop();
          if (stopped) messages.stop();
          await take(messages, () => stopped);
        } catch (error) {
          if (!stopped) options.onError(error, undefined);
        }
        if (!stopped) await pause(PAUSE_MS);
      }
    };
    const done = loop();
    return {
      stop: async () => {
        stopped = true;
        halt();
        await done;
        // Until the server has heard of it, it may hand a message to this consumer, and nobody else gets it for ACK_WAIT_MS.
        await Promise.race([this.#connection.flush().catch(() => undefined), pause(PAUSE_MS)]);
      },
    };
  }

  /**
   * What a consumer that died had in hand is delivered again after ACK_WAIT_MS and then before anything newer: whoever asks
   * sooner would be given the newer first.
   */
  async #letGo({ stream, durable }: Pick<ConsumeOptions, 'stream' | 'durable'>, stopped: () => boolean): Promise<void> {
    const until = performance.now() + ACK_WAIT_MS + PAUSE_MS;
    while (!stopped() && performance.now() < until) {
      const { num_ack_pending } = await this.#manager.consumers.info(stream, durable);
      if (num_ack_pending === 0) return;
      await pause(100);
    }
  }

  async #ensureConsumer(
    { stream, durable, filter, from }: Omit<ConsumeOptions, 'handle'>,
    inHand: number,
  ): Promise<void> {
    const changeable = { ack_wait: ACK_WAIT_MS * 1e6, max_ack_pending: inHand };
    try {
      await this.#manager.consumers.add(stream, {
        durable_name: durable,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: from === 'first' ? DeliverPolicy.All : DeliverPolicy.New,
        ...changeable,
        ...(filter ? { filter_subject: filter } : {}),
      });
    } catch (error) {
      // Made by an earlier version with other times: it keeps its place and takes ours.
      if (!(error instanceof JetStreamApiError && CONSUMER_EXISTS.includes(error.code))) throw error;
      await this.#manager.consumers.update(stream, durable, changeable);
    }
  }

  async *read(
    stream: StreamName,
    subject: string,
    afterSequence: number,
    signal: AbortSignal,
  ): AsyncIterable<BusMessage> {
    if (signal.aborted) return;
    const consumer = await this.#client.consumers.get(stream, {
      filter_subjects: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: afterSequence + 1,
    });
    const messages = await consumer.consume({ max_messages: 200, expires: 5_000 });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for await (const message of messages) yield toBusMessage(message);
    } finally {
      signal.removeEventListener('abort', stop);
      messages.stop();
      void consumer.delete().catch(() => undefined);
    }
  }

  async lastSequence(stream: StreamName, subject: string): Promise<number> {
    try {
      return (await this.#manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0;
    } catch (error) {
      if (isMissing(error)) return 0;
      throw error;
    }
  }

  async bounds(stream: StreamName): Promise<{ first: number; last: number; created: Date }> {
    const { state, created } = await this.#manager.streams.info(stream);
    return { first: state.first_seq, last: state.last_seq, created: new Date(created) };
  }

  async backlog(stream: StreamName, durable: string): Promise<number> {
    const { num_pending, num_ack_pending } = await this.#manager.consumers.info(stream, durable);
    return num_pending + num_ack_pending;
  }

  announce(subject: string, body: string): void {
    this.#connection.publish(subject, body);
  }

  listen(subject: string, handle: (subject: string, body: string) => void): { stop(): void } {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) handle(message.subject, message.string());
      },
    });
    return { stop: () => subscription.unsubscribe() };
  }

  async ping(): Promise<void> {
    await this.#connection.rtt();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof PermissionViolationError ||
  (error instanceof Error && error.cause instanceof PermissionViolationError);

const isMissing = (error: unknown): boolean => error instanceof JetStreamApiError && error.apiError().code === 404;
