/** Hands messages to a handler and acknowledges what it took. It must never acknowledge what was not handled. */
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { type BusMessage, type ConsumeBatchesOptions, type ConsumeOptions } from '../bus.port.ts';

/** What a killed consumer had in hand goes to the next one after this long; a living one says `working` well before. */
export const ACK_WAIT_MS = 5_000;
const REDELIVER_MS = 1_000;
const AGAIN_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** One at a time: what is rejected is delivered again later. */
export const deliver = async (message: JsMsg, options: ConsumeOptions): Promise<void> => {
  const busMessage = toBusMessage(message);
  const resting = keepAlive(() => [message]);
  try {
    await options.handle(busMessage);
    message.ack();
  } catch (error) {
    options.onError(error, busMessage);
    message.nak(Math.min(REDELIVER_MS * busMessage.deliveries, 30_000));
  } finally {
    resting();
  }
};

/**
 * Everything that has come while the batch before was handled becomes the next one. What waits behind a batch is kept alive with it:
 * let go at different times, the newer would be the first that the next consumer is given.
 */
export const batchesOf = async (
  messages: ConsumerMessages,
  options: ConsumeBatchesOptions,
  stopped: () => boolean,
): Promise<void> => {
  const waiting: JsMsg[] = [];
  let batch: JsMsg[] = [];
  let ended = false;
  const resting = keepAlive(() => [...batch, ...waiting]);
  let wake: () => void = () => undefined;
  const reading = (async () => {
    try {
      for await (const message of messages) {
        waiting.push(message);
        wake();
      }
    } finally {
      ended = true;
      wake();
    }
  })();
  try {
    while (!ended || waiting.length > 0) {
      batch = waiting.splice(0, options.size);
      if (batch.length > 0) await deliverBatch(batch, options, stopped);
      else if (!ended) await new Promise<void>((resolve) => (wake = resolve));
      batch = [];
      // What was not handled yet goes to the next consumer, in order.
      if (stopped()) waiting.length = 0;
    }
    await reading;
  } finally {
    resting();
  }
};

const deliverBatch = async (
  batch: readonly JsMsg[],
  options: ConsumeBatchesOptions,
  stopped: () => boolean,
): Promise<void> => {
  const busMessages = batch.map(toBusMessage);
  for (let tries = 1; ; tries += 1) {
    try {
      await options.handle(busMessages);
      for (const message of batch) message.ack();
      return;
    } catch (error) {
      options.onError(error, busMessages[0]);
      if (stopped()) return;
      await pause(Math.min(AGAIN_MS * tries, LONGEST_PAUSE_MS));
      if (stopped()) return;
    }
  }
};

const keepAlive = (inHand: () => readonly JsMsg[]): (() => void) => {
  const timer = setInterval(() => {
    try {
      for (const message of inHand()) message.working();
    } catch {
      // The connection is closed: the messages are somebody else's soon, and the handler ends by itself.
    }
  }, ACK_WAIT_MS / 3);
  return () => clearInterval(timer);
};

export const toBusMessage = (message: JsMsg): BusMessage => ({
  subject: message.subject,
  sequence: message.seq,
  body: message.string(),
  deliveries: message.info.deliveryCount,
});

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
