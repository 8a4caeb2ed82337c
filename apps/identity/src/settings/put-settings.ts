/** Replaces one settings layer: the operator the platform's, admins the workspace's, people their own, never over an unseen change. */
import { Fault } from '@bravo/faults';
import { type Actor, actorName, requireOperator, requireWorkspace } from '../callers/actor.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { MemberStore } from '../members/member-store.ts';
import { requireAdmin } from '../members/require-admin.ts';
import { changedKeys } from './changed-keys.ts';
import { EMPTY_SETTINGS, normaliseDocument, type SettingsKey, type SettingsStore } from './settings-document.ts';

export interface PutSettingsParts {
  readonly settings: SettingsStore;
  readonly members: MemberStore;
  readonly invalidation: Invalidation;
}

export const createPutSettings = ({ settings, members, invalidation }: PutSettingsParts) => {
  const requireWriter = async (actor: Actor, key: SettingsKey): Promise<void> => {
    if (key.layer === 'platform') return requireOperator(actor, "change the platform's settings");
    if (key.layer === 'workspace') {
      await requireAdmin(members, actor, key.workspaceId, "change the workspace's settings");
      return;
    }
    requireWorkspace(actor, key.workspaceId);
    if (key.userId !== actor.userId) throw new Fault('not_found', 'There are no such settings.');
  };

  return async (actor: Actor, key: SettingsKey, text: string, ifMatch: number): Promise<number> => {
    await requireWriter(actor, key);
    const document = normaliseDocument(text);
    const present = (await settings.findSettings(key)) ?? EMPTY_SETTINGS;
    const version =
      ifMatch === 0 || ifMatch === present.version
        ? await settings.replaceSettings(key, {
            seen: present.version,
            document,
            changed: changedKeys(present.document, document),
            updatedBy: actor.userId,
            actor: actorName(actor),
          })
        : undefined;
    if (version === undefined) {
      throw new Fault(
        'version_conflict',
        'The settings were changed in the meantime. Read them again, then repeat your change.',
      );
    }
    invalidation.announce(key.workspaceId, {});
    return version;
  };
};
