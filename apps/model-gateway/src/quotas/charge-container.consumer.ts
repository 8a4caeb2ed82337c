/** Charges a pod's time when it is released: from the stream, once per pod, however often the event comes. A malformed event is told and gone. */
import { inSpanOf } from '@bravo/chassis/spans';
import type { Bus } from '@bravo/events';
import { z } from 'zod';
import type { ChargeContainer } from './charge-container.ts';

const PodReleased = z.object({
  workspace: z.string().min(1),
  traceparent: z.string().optional(),
  data: z.object({ pod_id: z.string().min(1), container_seconds: z.number().min(0) }),
});

export interface ChargeContainerConsumer {
  readonly bus: Pick<Bus, 'consume'>;
  readonly charge: ChargeContainer;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export const consumePodEnds = ({ bus, charge, log }: ChargeContainerConsumer): { stop(): Promise<void> } =>
  bus.consume({
    stream: 'EVENTS',
    // What was released before there were credits is nobody's debt.
    from: 'new',
    durable: 'models',
    filter: 'agent.pod.released.>',
    handle: async ({ body, sequence }) => {
      let event: z.output<typeof PodReleased>;
      try {
        event = PodReleased.parse(JSON.parse(body));
      } catch (err) {
        log('the end of a pod is malformed and was not charged', { sequence, err });
        return;
      }
      const { pod_id: podId, container_seconds: seconds } = event.data;
      await inSpanOf(event.traceparent, 'charge-container', () => charge(event.workspace, podId, seconds));
    },
    onError: (err, message) =>
      log('the time of a pod could not be charged; it comes again', { sequence: message?.sequence, err }),
  });
