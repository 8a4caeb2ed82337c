/** Where the trail is delivered to, over gRPC. */
import type * as proto from '@bravo/proto/audit';
import { textOfInstant } from '../routes/shapes.ts';
import type { AuditClient } from './audit.client.ts';
import type { DestinationView } from './destination-routes.ts';
import type { Destinations } from './destinations.ts';

export const createDestinations = (client: AuditClient): Destinations => ({
  list: async (subject) => (await client.listDestinations({}, { subject })).destinations.map(toView),
  async put(subject, destinationId, { every_seconds: everySeconds, secret, from, ...settings }) {
    const answer = await client.putDestination(
      {
        ...{ ...settings, destinationId, everySeconds },
        secretJson: secret === undefined ? '' : JSON.stringify(secret),
        from: from === undefined ? '' : String(from),
      },
      { subject },
    );
    return { destination: toView(answer.destination), signing_secret: answer.signingSecret };
  },
  remove: async (subject, destinationId) => void (await client.removeDestination({ destinationId }, { subject })),
});

const toView = (destination: proto.Destination | undefined): DestinationView => {
  if (!destination) throw new Error('audit answered without the destination');
  const { name, kind, url, format, region, certificates, paused, size, problem, failures } = destination;
  const instant = (at: Date | undefined): string => (at === undefined ? '' : textOfInstant(at));
  return {
    ...{ name, url, format, region, certificates, paused, size, problem, failures },
    id: destination.destinationId,
    kind: kind as DestinationView['kind'],
    every_seconds: destination.everySeconds,
    created_by: destination.createdBy,
    created_at: instant(destination.createdAt),
    next_index: destination.nextIndex,
    delivered_at: instant(destination.deliveredAt),
    failing_since: instant(destination.failingSince),
    try_at: instant(destination.tryAt),
  };
};
