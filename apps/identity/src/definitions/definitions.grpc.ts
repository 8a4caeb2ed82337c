/** PutDefinition, DeleteDefinition and ListDefinitions on the wire. */
import { createHash } from 'node:crypto';
import type { Handlers } from '@bravo/chassis';
import type { Definition, IdentityServiceService } from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import { definitionKey, type StoredDefinition } from './definition.ts';
import type { KeepDefinitions } from './keep-definitions.ts';

export const definitionHandlers = (
  keep: KeepDefinitions,
): Pick<Handlers<typeof IdentityServiceService>, 'putDefinition' | 'deleteDefinition' | 'listDefinitions'> => ({
  putDefinition: async (request, { principal }) => {
    const { definition, ignored } = await keep.put(
      actorOf(principal),
      definitionKey(request),
      request.text,
      request.ifMatch,
    );
    return { definition: toWire(definition), ignored: [...ignored] };
  },
  deleteDefinition: async (request, { principal }) => {
    await keep.remove(actorOf(principal), definitionKey(request));
    return {};
  },
  listDefinitions: async (request, { principal }) => ({
    definitions: (await keep.list(actorOf(principal), request)).map(toWire),
  }),
});

const toWire = ({ kind, layer, name, description, version, text, updatedAt }: StoredDefinition): Definition => ({
  ...{ kind, layer, name, description, version, text, updatedAt },
  digest: text === '' ? '' : createHash('sha256').update(text).digest('hex'),
  bytes: Buffer.byteLength(text),
});
