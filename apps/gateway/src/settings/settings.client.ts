/** Settings layers at identity. */
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { type Caller, subjectOf } from '../callers/caller.ts';
import type { SettingsStore } from './settings-store.ts';

export const createSettingsStore = (identity: IdentityClient): SettingsStore => ({
  read: async (caller, layer, conversationId) => {
    const key = keyOf(caller, layer, conversationId);
    const { documentJson, version } = await identity.getSettings(key, { subject: subjectOf(caller) });
    return { text: documentJson, version };
  },
  replace: async (caller, layer, conversationId, documentJson, ifMatch) => {
    const request = { ...keyOf(caller, layer, conversationId), documentJson, ifMatch };
    return (await identity.putSettings(request, { subject: subjectOf(caller) })).version;
  },
  readAbove: async (caller, layer, conversationId) => {
    const { documentJson, version } = await identity.getSettings(keyOf(caller, layer, conversationId));
    return { text: documentJson, version };
  },
});

const keyOf = ({ membership, person }: Caller, layer: string, conversationId: string) => ({
  workspaceId: membership.workspace_id,
  layer,
  userId: layer === 'user' || layer === 'conversation' ? person.id : '',
  ...(layer === 'conversation' ? { conversationId } : {}),
});
