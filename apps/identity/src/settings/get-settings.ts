/** Reads one settings layer: the platform's for everybody, a workspace's for its members, a person's for themselves and the services that act for them. */
import { Fault } from '@bravo/faults';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import { EMPTY_SETTINGS, type SettingsKey, type SettingsStore, type StoredSettings } from './settings-document.ts';

export const createGetSettings =
  ({ settings }: { settings: SettingsStore }) =>
  async (actor: Actor, key: SettingsKey): Promise<StoredSettings> => {
    if (key.layer !== 'platform') requireWorkspace(actor, key.workspaceId);
    if (key.layer === 'user' && key.userId !== actor.userId && !actor.userId.startsWith('service:')) {
      throw new Fault('not_found', 'There are no such settings.');
    }
    return (await settings.findSettings(key)) ?? EMPTY_SETTINGS;
  };
