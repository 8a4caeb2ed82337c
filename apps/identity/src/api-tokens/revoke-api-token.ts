/** Ends an API token at once; a person can end only their own. Ending it again is no error. */
import { Fault } from '@bravo/faults';
import { type Actor, actorName } from '../callers/actor.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { ApiTokenStore } from './api-token-store.ts';

export interface RevokeApiTokenParts {
  readonly apiTokens: ApiTokenStore;
  readonly invalidation: Invalidation;
  readonly now: () => Date;
}

export const createRevokeApiToken =
  ({ apiTokens, invalidation, now }: RevokeApiTokenParts) =>
  async (actor: Actor, tokenId: string): Promise<void> => {
    const owner = await apiTokens.findOwner(tokenId);
    if (!owner || (actor.issuer !== 'operator' && owner.userId !== actor.userId)) {
      throw new Fault('not_found', 'There is no such API token.');
    }
    await apiTokens.revokeApiToken(tokenId, now(), actorName(actor));
    invalidation.announce(owner.workspaceId, { userId: owner.userId, tokenId });
  };
