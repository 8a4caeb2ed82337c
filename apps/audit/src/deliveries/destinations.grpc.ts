/** Destinations on the wire; a secret goes in and never comes out. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService, Destination as DestinationMessage } from '@bravo/proto/audit';
import type { ConfigureDestinations, DestinationView } from './configure-destinations.ts';

type Wanted = Pick<Handlers<AuditServiceService>, 'listDestinations' | 'putDestination' | 'removeDestination'>;

export const destinationHandlers = (configure: ConfigureDestinations): Wanted => ({
  listDestinations: async (_request, { principal }) => ({
    destinations: (await configure.list(principal)).map(toMessage),
  }),
  putDestination: async ({ destinationId, secretJson, from, ...settings }, { principal }) => {
    const { name, kind, url, format, everySeconds, region, certificates, paused } = settings;
    const spelled = { name, kind, url, format, everySeconds, region, certificates, paused };
    const put = await configure.put(principal, { destinationId, settings: spelled, secret: secretJson, from });
    return { destination: toMessage(put), signingSecret: put.signingSecret };
  },
  removeDestination: async ({ destinationId }, { principal }) => {
    await configure.remove(principal, destinationId);
    return {};
  },
});

const toMessage = ({ destination, size }: DestinationView): DestinationMessage => ({
  destinationId: destination.destinationId,
  name: destination.name,
  kind: destination.kind,
  url: destination.url,
  format: destination.format,
  everySeconds: destination.everySeconds,
  region: destination.region,
  certificates: destination.certificates,
  paused: destination.paused,
  createdBy: destination.createdBy,
  createdAt: destination.createdAt,
  nextIndex: destination.nextIndex,
  size,
  deliveredAt: destination.deliveredAt,
  failingSince: destination.failingSince,
  problem: destination.problem,
  failures: destination.failures,
  tryAt: destination.tryAt,
});
