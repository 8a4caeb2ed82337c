/** Keeps skills and agent definitions: admins write the workspace's, people their own, never over an unseen change; nobody reads somebody else's. */
import { Fault } from '@bravo/faults';
import { readDefinition } from '@bravo/policy';
import { type Actor, actorName, requireWorkspace } from '../callers/actor.ts';
import type { MemberStore } from '../members/member-store.ts';
import { requireAdmin } from '../members/require-admin.ts';
import { type DefinitionKey, type DefinitionStore, MOST_DEFINITIONS, type StoredDefinition } from './definition.ts';

export interface KeepDefinitionsParts {
  readonly definitions: DefinitionStore;
  readonly members: MemberStore;
}

export type KeepDefinitions = ReturnType<typeof createKeepDefinitions>;

export const createKeepDefinitions = ({ definitions, members }: KeepDefinitionsParts) => {
  const requireWriter = async (actor: Actor, key: DefinitionKey): Promise<void> => {
    if (key.layer === 'workspace') {
      await requireAdmin(members, actor, key.workspaceId, `change the workspace's ${key.kind}s`);
      return;
    }
    requireWorkspace(actor, key.workspaceId);
    const member = key.userId === actor.userId ? await members.findMember(key.workspaceId, actor.userId) : undefined;
    if (!member) throw new Fault('not_found', `There are no such ${key.kind}s.`);
  };
  const find = async (key: DefinitionKey): Promise<StoredDefinition | undefined> =>
    (await definitions.list(key)).find(({ layer }) => layer === key.layer);

  return {
    put: async (
      actor: Actor,
      key: DefinitionKey,
      text: string,
      ifMatch: number,
    ): Promise<{ definition: StoredDefinition; ignored: readonly string[] }> => {
      await requireWriter(actor, key);
      const refuse = (why: string): never => {
        throw new Fault('invalid_argument', `The document ${why}.`, { meta: { field: 'text' } });
      };
      if (text.includes('\0')) refuse('is no text that can be kept');
      const read = readDefinition(key.kind, text);
      if (!read.ok) return refuse(read.why);
      if (read.definition.name !== key.name) refuse(`names itself "${read.definition.name}" and not "${key.name}"`);
      const present = await find(key);
      if (present === undefined && (await definitions.count(key)) >= MOST_DEFINITIONS)
        throw new Fault('resource_exhausted', `There are ${MOST_DEFINITIONS} ${key.kind}s already. Delete one first.`);
      const seen = present?.version ?? 0;
      const { description } = read.definition;
      const change = { seen, description, text, updatedBy: actor.userId, actor: actorName(actor) };
      const definition = ifMatch === 0 || ifMatch === seen ? await definitions.replace(key, change) : undefined;
      if (definition === undefined)
        throw new Fault('version_conflict', 'It was changed in the meantime. Read it again, then repeat your change.');
      return { definition, ignored: read.ignored };
    },
    remove: async (actor: Actor, key: DefinitionKey): Promise<void> => {
      await requireWriter(actor, key);
      if (!(await definitions.remove(key, actorName(actor))))
        throw new Fault('not_found', `There is no such ${key.kind}.`);
    },
    /** What holds for a person; one that is named comes with its text. */
    list: async (
      actor: Actor,
      asked: { workspaceId: string; userId: string; kind: string; name: string },
    ): Promise<readonly StoredDefinition[]> => {
      requireWorkspace(actor, asked.workspaceId);
      const isPerson = !actor.userId.startsWith('service:');
      if (asked.userId === '' || (isPerson && asked.userId !== actor.userId))
        throw new Fault('not_found', 'There is no such person.');
      if (!(await members.findMember(asked.workspaceId, asked.userId)))
        throw new Fault('not_found', 'There is no such workspace.');
      const found = await definitions.list(asked);
      return asked.name === '' ? found.map((definition) => ({ ...definition, text: '' })) : found;
    },
  };
};
