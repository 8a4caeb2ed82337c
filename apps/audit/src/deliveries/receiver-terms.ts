/** As whom, and on what terms, a destination is connected to: egress is told which one it is for, and reaches nothing private unless the operator listed it. */
import type { Destination } from './destination.port.ts';
import type { DestinationSecret } from './read-destination.ts';

export const receiverTerms = (
  { workspaceId, destinationId, certificates }: Destination,
  { certificate, key }: DestinationSecret,
) => ({
  to: {
    purpose: 'delivery',
    reach: 'public',
    decisionId: destinationId,
    workspaceId,
    conversationId: '',
    userId: '',
  } as const,
  tls: {
    certificates: certificates.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [],
    ...(certificate !== undefined && key !== undefined ? { identity: { certificate, key } } : {}),
  },
});
