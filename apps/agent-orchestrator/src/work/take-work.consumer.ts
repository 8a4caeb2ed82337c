/** The WORK queue, read one item at a time by whichever replica is free; a malformed item is told and gone, never retried for ever. */
import { inSpanOf } from '@bravo/chassis/spans';
import { type Bus, WORK_TURN_SUBJECT, type WorkItem, workItem } from '@bravo/events';

export interface TakeWorkConsumerOptions {
  readonly bus: Bus;
  take(item: WorkItem): Promise<void>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export const consumeWork = ({ bus, take, log }: TakeWorkConsumerOptions): { stop(): Promise<void> } =>
  bus.consume({
    stream: 'WORK',
    from: 'first',
    durable: 'orchestrator',
    filter: WORK_TURN_SUBJECT,
    handle: async ({ body, sequence }) => {
      let item: WorkItem;
      try {
        item = workItem.parse(JSON.parse(body));
      } catch (err) {
        log('a work item is malformed and was dropped', { sequence, err });
        return;
      }
      await inSpanOf(item.traceparent, 'take-work', () => take(item));
    },
    onError: (err, message) => log('work could not be taken; it comes again', { sequence: message?.sequence, err }),
  });
