/** PutSecret, ListSecrets and RevealSecret on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import type { createKeepSecrets } from './keep-secrets.ts';

export const secretHandlers = (use: {
  secrets: ReturnType<typeof createKeepSecrets>;
}): Pick<Handlers<typeof IdentityServiceService>, 'putSecret' | 'listSecrets' | 'revealSecret'> => ({
  putSecret: async ({ workspaceId, name, value }, { principal }) => {
    await use.secrets.put(actorOf(principal), workspaceId, name, value);
    return {};
  },
  listSecrets: async ({ workspaceId }, { principal }) => ({
    names: await use.secrets.list(actorOf(principal), workspaceId),
  }),
  revealSecret: async ({ workspaceId, name }, { principal }) => ({
    value: await use.secrets.reveal(actorOf(principal), workspaceId, name),
  }),
});
