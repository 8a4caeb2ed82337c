/** Sealed secrets at identity, which alone decides who may keep them. */
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { subjectOf } from '../callers/caller.ts';
import type { Secrets } from './secrets.ts';

export const createSecrets = (identity: IdentityClient): Secrets => ({
  list: async (caller) => {
    const { workspace_id: workspaceId } = caller.membership;
    return (await identity.listSecrets({ workspaceId }, { subject: subjectOf(caller) })).names;
  },
  put: async (caller, name, value) => {
    const { workspace_id: workspaceId } = caller.membership;
    await identity.putSecret({ workspaceId, name, value }, { subject: subjectOf(caller) });
  },
});
