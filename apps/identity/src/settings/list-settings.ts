/** Every layer that holds for a person, read at one moment, for the services that act by them; a person reads layer by layer what is theirs. */
import { Fault } from '@bravo/faults';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import { type Layer, settingsKeys, type SettingsStore, type StoredSettings } from './settings-document.ts';

export interface ListedLayer extends StoredSettings {
  readonly layer: Layer;
}

/** Without a conversation its layer is left out. */
export const createListSettings =
  ({ settings }: { readonly settings: Pick<SettingsStore, 'findEach'> }) =>
  async (
    actor: Actor,
    of: { workspaceId: string; userId: string; conversationId?: string | undefined },
  ): Promise<readonly ListedLayer[]> => {
    if (!actor.userId.startsWith('service:'))
      throw new Fault('permission_denied', 'Only a service reads all layers at once. Read them one by one.');
    requireWorkspace(actor, of.workspaceId);
    const keys = settingsKeys(of);
    const found = await settings.findEach(keys);
    return found.map((stored, index) => ({ layer: keys[index]!.layer, ...stored }));
  };
