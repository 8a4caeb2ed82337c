/** Wires deliveries: who sets destinations, who brings them what, and by which way out. */
import type { Logger, WayOut } from '@bravo/chassis';
import type { Outbox } from '@bravo/events';
import type { Alerts } from '../alerts/alerts.port.ts';
import type { Deliveries } from '../checkpoints/checkpoint-sink.port.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.port.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import type { KeyWrapper } from '../contents/wrap-key.ts';
import type { Database } from '../databases/database.prisma.ts';
import type { Retention } from '../retention/retention.port.ts';
import type { Entries } from '../trail/entries.port.ts';
import { createConfigureDestinations } from './configure-destinations.ts';
import { type DeliverTrailParts, startDeliverTrail } from './deliver-trail.ts';
import { createDeliveryLag } from './delivery-lag.prisma.ts';
import { destinationHandlers } from './destinations.grpc.ts';
import { createDestinations } from './destinations.prisma.ts';
import { createMakeDelivery } from './make-delivery.ts';
import type { OpenReceiver } from './receiver.port.ts';
import type { HttpTiming } from './receiver-answer.ts';
import { createS3Receiver } from './s3/s3-receiver.ts';
import { createSecretSeal } from './seal-secret.ts';
import { createSyslogReceiver, type SyslogTiming } from './syslog-receiver.client.ts';
import { createWebhookReceiver } from './webhook-receiver.client.ts';

export interface DeliveryAreaParts {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly entries: Entries;
  readonly checkpoints: Checkpoints;
  readonly deliveries: Deliveries;
  readonly signer: NoteSigner;
  readonly retention: Retention;
  readonly alerts: Alerts;
  readonly wrapper: KeyWrapper;
  readonly logger: Logger;
  readonly wayOut: WayOut | undefined;
  readonly timing?: Pick<DeliverTrailParts, 'lookMs' | 'pauseMs' | 'patienceMs'> & HttpTiming & SyslogTiming;
}

export const openReceiverThrough =
  (way: WayOut, timing: HttpTiming & SyslogTiming = {}): OpenReceiver =>
  (destination, secret) => {
    const create = { syslog: createSyslogReceiver, webhook: createWebhookReceiver, s3: createS3Receiver };
    return create[destination.kind](way, destination, secret, timing);
  };

export const createDeliveryArea = (parts: DeliveryAreaParts) => {
  const { database, outbox, checkpoints, retention, alerts, wayOut, logger, timing = {} } = parts;
  const destinations = createDestinations(database, outbox);
  const seal = createSecretSeal(parts.wrapper);
  const configure = createConfigureDestinations({ destinations, checkpoints, retention, seal });
  return {
    configure,
    handlers: destinationHandlers(configure),
    lag: createDeliveryLag(database),
    start(): { stop(): Promise<void> } {
      if (!wayOut) return { stop: async () => undefined };
      const { lookMs, pauseMs, patienceMs, ...receiving } = timing;
      return startDeliverTrail({
        ...{ destinations, checkpoints, seal, alerts, logger },
        ...(lookMs === undefined ? {} : { lookMs }),
        ...(pauseMs === undefined ? {} : { pauseMs }),
        ...(patienceMs === undefined ? {} : { patienceMs }),
        makeDelivery: createMakeDelivery(parts),
        openReceiver: openReceiverThrough(wayOut, receiving),
      });
    },
  };
};
