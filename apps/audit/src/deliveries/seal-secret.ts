/** The secrets of destinations, sealed with the key of the machine and bound to the one they are for: a row that was moved opens nothing. */
import type { KeyWrapper } from '../contents/wrap-key.ts';
import type { Destination } from './destination.port.ts';
import type { DestinationSecret } from './read-destination.ts';

export interface SecretSeal {
  seal(workspaceId: string, destinationId: string, secret: DestinationSecret): string;
  /** @throws Error when it was sealed for another one or changed. */
  open(destination: Pick<Destination, 'workspaceId' | 'destinationId' | 'sealedSecret'>): DestinationSecret;
}

const owner = (workspaceId: string, destinationId: string): string => `destination ${workspaceId} ${destinationId}`;

export const createSecretSeal = (wrapper: KeyWrapper): SecretSeal => ({
  seal: (workspaceId, destinationId, secret) => wrapper.wrap(JSON.stringify(secret), owner(workspaceId, destinationId)),
  open: ({ workspaceId, destinationId, sealedSecret }) =>
    JSON.parse(wrapper.unwrap(sealedSecret, owner(workspaceId, destinationId))) as DestinationSecret,
});
