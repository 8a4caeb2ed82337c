/** Which secrets the providers in force would be signed with, asked of identity by name. */
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { subjectOf } from '../callers/caller.ts';
import type { FoundSecrets } from './diagnose-settings.ts';

export const createFoundSecrets =
  (identity: IdentityClient): FoundSecrets =>
  async (caller, conversationId) => {
    const { membership, person } = caller;
    const request = { workspaceId: membership.workspace_id, userId: person.id, conversationId };
    const { providers } = await identity.resolveProviders(request, { subject: subjectOf(caller) });
    return providers.map(({ secretName }) => secretName).filter((name) => name !== '');
  };
