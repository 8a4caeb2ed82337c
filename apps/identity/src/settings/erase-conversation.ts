/** Takes away the settings of a conversation that has ended. Guarantees that no other layer is touched; asked again it is no error. */
import { Fault } from '@bravo/faults';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import type { SettingsStore } from './settings-document.ts';

export const createEraseConversation =
  ({ settings }: { readonly settings: Pick<SettingsStore, 'eraseConversation'> }) =>
  async (actor: Actor, { workspaceId, conversationId }: { workspaceId: string; conversationId: string }) => {
    requireWorkspace(actor, workspaceId);
    if (workspaceId === '' || conversationId === '')
      throw new Fault('invalid_argument', 'Name the workspace and the conversation that has ended.');
    await settings.eraseConversation(workspaceId, conversationId);
  };
