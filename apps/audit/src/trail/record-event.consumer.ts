/** The way in from stream EVENTS: acknowledged only once the rows are committed, so a crash means a second delivery and never a lost event. */
import { inSpanOf, type Logger } from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import type { Outcome, RecordEvents } from './record-event.ts';

export interface RecordEventConsumer {
  readonly bus: Bus;
  readonly recordEvents: RecordEvents;
  /** Told of each log that got entries, and how many. */
  readonly onRecorded: (workspaceId: string, entries: number) => void;
  readonly logger: Logger;
}

/** A transaction has its cost whatever is in it; more than this would hold a log's lock too long. */
const BATCH = 500;

export const consumeEvents = ({
  bus,
  recordEvents,
  onRecorded,
  logger,
}: RecordEventConsumer): { stop(): Promise<void> } =>
  bus.consumeBatches({
    stream: 'EVENTS',
    from: 'first',
    durable: 'audit',
    size: BATCH,
    async handle(messages) {
      // Many traces meet in one transaction: it is a step of each, and stands in the first's.
      const spans = messages.map((message) => traceparentOf(message.body));
      let outcomes: readonly Outcome[] = [];
      await inSpanOf(spans[0], 'record-event', async () => {
        outcomes = await recordEvents(messages);
      });
      for (const span of new Set(spans.slice(1)))
        if (span !== spans[0]) await inSpanOf(span, 'record-event', () => Promise.resolve());
      const recorded = new Map<string, number>();
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome.kind === 'recorded')
          recorded.set(outcome.workspaceId, (recorded.get(outcome.workspaceId) ?? 0) + 1);
        if (outcome.kind === 'rejected') {
          const { subject, sequence } = messages[at] ?? {};
          logger.error({ subject, sequence, reason: outcome.reason }, 'message rejected');
        }
      }
      for (const [workspaceId, entries] of recorded) onRecorded(workspaceId, entries);
    },
    onError: (error, message) =>
      logger.error({ err: error, sequence: message?.sequence }, 'events not recorded; trying again'),
  });

/** Only to find the span it belongs to: what the message is worth, `recordEvents` decides. */
const traceparentOf = (body: string): string | undefined => {
  try {
    const { traceparent } = JSON.parse(body) as { traceparent?: unknown };
    return typeof traceparent === 'string' ? traceparent : undefined;
  } catch {
    return undefined;
  }
};
