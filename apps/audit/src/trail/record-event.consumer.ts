/** The way in from stream EVENTS: acknowledged only once the row is committed, so a crash means a second delivery and never a lost event. */
import { inSpanOf, type Logger } from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import type { RecordEvent } from './record-event.ts';

export interface RecordEventConsumer {
  readonly bus: Bus;
  readonly recordEvent: RecordEvent;
  /** Told of each new entry. */
  readonly onRecorded: (workspaceId: string) => void;
  readonly logger: Logger;
}

export const consumeEvents = ({
  bus,
  recordEvent,
  onRecorded,
  logger,
}: RecordEventConsumer): { stop(): Promise<void> } =>
  bus.consume({
    stream: 'EVENTS',
    from: 'first',
    durable: 'audit',
    async handle(message) {
      const outcome = await inSpanOf(traceparentOf(message.body), 'record-event', () => recordEvent(message));
      if (outcome.kind === 'recorded') onRecorded(outcome.workspaceId);
      if (outcome.kind === 'rejected') {
        logger.error(
          { subject: message.subject, sequence: message.sequence, reason: outcome.reason },
          'message rejected',
        );
      }
    },
    onError: (error, message) =>
      logger.error({ err: error, sequence: message?.sequence }, 'event not recorded; trying again'),
  });

/** Only to find the span it belongs to: what the message is worth, `recordEvent` decides. */
const traceparentOf = (body: string): string | undefined => {
  try {
    const { traceparent } = JSON.parse(body) as { traceparent?: unknown };
    return typeof traceparent === 'string' ? traceparent : undefined;
  } catch {
    return undefined;
  }
};
