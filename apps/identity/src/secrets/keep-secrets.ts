/** Keeps a workspace's secrets: admins put and list them, one service opens them, and no person ever reads one back. */
import { Fault } from '@bravo/faults';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import type { MemberStore } from '../members/member-store.ts';
import { requireAdmin } from '../members/require-admin.ts';
import type { PeopleStore } from '../people/person.ts';
import type { Sealer } from './seal.ts';
import type { SecretStore } from './secret-store.ts';

export interface SecretParts {
  readonly secrets: SecretStore;
  readonly members: MemberStore;
  readonly people: PeopleStore;
  readonly sealer: Sealer;
}

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
const MAX_BYTES = 16 * 1024;

export const createKeepSecrets = ({ secrets, members, people, sealer }: SecretParts) => {
  const requireKeeper = async (actor: Actor, workspaceId: string): Promise<void> => {
    if (actor.issuer === 'operator') {
      if (!(await people.findWorkspace(workspaceId))) throw new Fault('not_found', 'There is no such workspace.');
      return;
    }
    await requireAdmin(members, actor, workspaceId, "keep the workspace's secrets");
  };

  return {
    put: async (actor: Actor, workspaceId: string, name: string, value: string): Promise<void> => {
      await requireKeeper(actor, workspaceId);
      if (!NAME.test(name)) {
        throw new Fault(
          'invalid_argument',
          'name must be upper-case letters, digits and underscores, at most 64, such as MODEL_KEY.',
          { meta: { field: 'name' } },
        );
      }
      if (value === '' || Buffer.byteLength(value) > MAX_BYTES) {
        throw new Fault('invalid_argument', 'value must have 1 byte to 16 KiB.', { meta: { field: 'value' } });
      }
      const sealed = sealer.seal({ workspaceId, name }, value);
      await secrets.putSecret({ workspaceId, name, sealed, updatedBy: actor.userId });
    },
    list: async (actor: Actor, workspaceId: string): Promise<string[]> => {
      await requireKeeper(actor, workspaceId);
      return secrets.listNames(workspaceId);
    },
    reveal: async (actor: Actor, workspaceId: string, name: string): Promise<string> => {
      requireWorkspace(actor, workspaceId);
      const sealed = await secrets.findSealed(workspaceId, name);
      if (!sealed) throw new Fault('not_found', `The workspace has no secret ${name}.`);
      return sealer.open({ workspaceId, name }, sealed);
    },
  };
};
