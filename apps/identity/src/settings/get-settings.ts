/** Reads one settings layer: to a person what they may also write, to the services that act for everybody all of it. */
import { Fault } from '@bravo/faults';
import { type Actor, requireOperator, requireWorkspace } from '../callers/actor.ts';
import type { MemberStore } from '../members/member-store.ts';
import { requireAdmin } from '../members/require-admin.ts';
import { EMPTY_SETTINGS, type SettingsKey, type SettingsStore, type StoredSettings } from './settings-document.ts';

export interface GetSettingsParts {
  readonly settings: SettingsStore;
  readonly members: MemberStore;
}

export const createGetSettings = ({ settings, members }: GetSettingsParts) => {
  /** Beside rules a layer may hold variables and providers, so being ruled by it is no reason to see it. */
  const requireReader = async (actor: Actor, key: SettingsKey): Promise<void> => {
    if (key.layer !== 'platform') requireWorkspace(actor, key.workspaceId);
    if (actor.userId.startsWith('service:')) return;
    if (key.layer === 'platform') requireOperator(actor, "read the platform's settings");
    if (key.layer === 'workspace') await requireAdmin(members, actor, key.workspaceId, "read the workspace's settings");
    if ((key.layer === 'user' || key.layer === 'conversation') && key.userId !== actor.userId)
      throw new Fault('not_found', 'There are no such settings.');
  };

  return async (actor: Actor, key: SettingsKey): Promise<StoredSettings> => {
    await requireReader(actor, key);
    return (await settings.findSettings(key)) ?? EMPTY_SETTINGS;
  };
};
