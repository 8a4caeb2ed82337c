/** The settings' methods on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import type { createEraseConversation } from './erase-conversation.ts';
import type { createGetSettings } from './get-settings.ts';
import type { createListSettings } from './list-settings.ts';
import type { createPutSettings } from './put-settings.ts';
import { settingsKey } from './settings-document.ts';

export const settingsHandlers = (use: {
  getSettings: ReturnType<typeof createGetSettings>;
  listSettings: ReturnType<typeof createListSettings>;
  putSettings: ReturnType<typeof createPutSettings>;
  eraseConversation: ReturnType<typeof createEraseConversation>;
}): Pick<
  Handlers<typeof IdentityServiceService>,
  'getSettings' | 'listSettings' | 'putSettings' | 'eraseConversation'
> => ({
  getSettings: async (request, { principal }) => {
    const { document, version } = await use.getSettings(actorOf(principal), settingsKey(request));
    return { documentJson: document, version };
  },
  listSettings: async (request, { principal }) => ({
    layers: (await use.listSettings(actorOf(principal), request)).map(({ layer, document, version }) => ({
      ...{ layer, documentJson: document, version },
    })),
  }),
  putSettings: async (request, { principal }) => ({
    version: await use.putSettings(actorOf(principal), settingsKey(request), request.documentJson, request.ifMatch),
  }),
  eraseConversation: async (request, { principal }) => {
    await use.eraseConversation(actorOf(principal), request);
    return {};
  },
});
