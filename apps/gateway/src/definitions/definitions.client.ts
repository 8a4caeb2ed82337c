/** Skills and agent definitions at identity, which alone decides who may write them. */
import { Fault } from '@bravo/faults';
import type { Definition } from '@bravo/proto/identity';
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { textOfInstant } from '../routes/shapes.ts';
import type { Definitions } from './definitions.ts';

export const createDefinitions = (identity: IdentityClient): Definitions => {
  const of = (caller: Caller) => ({
    workspaceId: caller.membership.workspace_id,
    userId: caller.person.id,
  });
  const ask = async (caller: Caller, kind: string, name: string) =>
    (await identity.listDefinitions({ ...of(caller), kind, name }, { subject: subjectOf(caller) })).definitions;
  return {
    list: async (caller) => (await ask(caller, '', '')).map(view),
    read: async (caller, { kind, layer, name }) => {
      const found = (await ask(caller, kind, name)).find((one) => one.layer === layer);
      if (found === undefined || name === '') throw new Fault('not_found', 'There is no such definition.');
      return { ...view(found), text: found.text };
    },
    put: async (caller, place, text, ifMatch) => {
      const request = { ...of(caller), ...place, text, ifMatch };
      const { definition, ignored } = await identity.putDefinition(request, { subject: subjectOf(caller) });
      if (definition === undefined) throw new Fault('internal', 'Identity answered without the definition.');
      return { ...view(definition), ignored: [...ignored] };
    },
    remove: async (caller, place) => {
      await identity.deleteDefinition({ ...of(caller), ...place }, { subject: subjectOf(caller) });
    },
  };
};

const view = ({ kind, layer, name, description, version, updatedAt }: Definition) => ({
  kind: kind === 'agent' ? ('agent' as const) : ('skill' as const),
  layer: layer === 'workspace' ? ('workspace' as const) : ('user' as const),
  ...{ name, description, version },
  updated_at: textOfInstant(updatedAt),
});
