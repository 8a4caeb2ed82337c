/** MintApiToken and RevokeApiToken on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import type { createMintApiToken } from './mint-api-token.ts';
import type { createRevokeApiToken } from './revoke-api-token.ts';

export const apiTokenHandlers = (use: {
  mintApiToken: ReturnType<typeof createMintApiToken>;
  revokeApiToken: ReturnType<typeof createRevokeApiToken>;
}): Pick<Handlers<typeof IdentityServiceService>, 'mintApiToken' | 'revokeApiToken'> => ({
  mintApiToken: async (request, { principal }) => {
    const { workspace, ...minted } = await use.mintApiToken(actorOf(principal), request);
    return { ...minted, workspaceId: workspace.id, workspaceSlug: workspace.slug };
  },
  revokeApiToken: async ({ tokenId }, { principal }) => {
    await use.revokeApiToken(actorOf(principal), tokenId);
    return {};
  },
});
