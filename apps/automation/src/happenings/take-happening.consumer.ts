/** The way in from stream EVENTS: acknowledged once everything of an event is committed. */
import { inSpanOf, type Logger } from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import { readHappening } from './happening.ts';
import type { TakeHappening } from './take-happening.ts';

export const consumeHappenings = (parts: {
  readonly bus: Pick<Bus, 'consume'>;
  readonly take: TakeHappening;
  readonly logger: Logger;
}): { stop(): Promise<void> } =>
  parts.bus.consume({
    stream: 'EVENTS',
    durable: 'automation',
    // Nobody is notified of what was over before there was anybody to notify them.
    from: 'new',
    handle: async ({ subject, body, sequence }) => {
      const happening = readHappening(subject, body);
      if (!happening) {
        parts.logger.warn({ subject, sequence }, 'a message that is no event was left alone');
        return;
      }
      await inSpanOf(undefined, 'take-happening', () => parts.take(happening));
    },
    onError: (error, message) =>
      parts.logger.warn({ err: error, sequence: message?.sequence }, 'an event was not taken; it comes again'),
  });
