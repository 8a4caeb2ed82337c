/** Settings layers over HTTP; a layer's version travels as the entity tag, its text exactly as it came. */
import { Controller, Headers, Inject, Res } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import { SETTINGS_SCHEMA } from '@bravo/policy';
import type { FastifyReply } from 'fastify';
import { entityTagOf, versionOfIfMatch } from '../agent-configs/entity-tag.ts';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { ORCHESTRATOR } from '../conversations/conversations.http.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import type { PutSettings } from './put-settings.ts';
import {
  GET_SETTINGS,
  GET_SETTINGS_SCHEMA,
  PUT_SETTINGS,
  type SettingsDocument,
  type SettingsWritten,
} from './settings-routes.ts';
import type { SettingsStore } from './settings-store.ts';

export const SETTINGS_STORE = Symbol('settings-store');
export const PUT_SETTINGS_USE = Symbol('put-settings');

@Controller()
export class SettingsController {
  readonly #settings: SettingsStore;
  readonly #putSettings: PutSettings;
  readonly #orchestrator: Pick<Orchestrator, 'getConversation'>;
  constructor(
    @Inject(SETTINGS_STORE) settings: SettingsStore,
    @Inject(PUT_SETTINGS_USE) putSettings: PutSettings,
    @Inject(ORCHESTRATOR) orchestrator: Orchestrator,
  ) {
    this.#settings = settings;
    this.#orchestrator = orchestrator;
    this.#putSettings = putSettings;
  }

  /** @throws Fault not_found for a conversation of somebody else: nobody writes settings for what is not theirs. And conversation_ended: its layer is gone for good. */
  async #place(
    caller: Caller,
    params: Readonly<Record<string, string>>,
    { conversation = '' }: { conversation?: string | undefined },
    writes = false,
  ): Promise<{ layer: string; conversationId: string }> {
    const layer = params['layer'] ?? '';
    if (layer !== 'conversation') return { layer, conversationId: '' };
    if (conversation !== '') {
      const { conversation: found } = await this.#orchestrator.getConversation(subjectOf(caller), conversation);
      if (writes && found.status === 'ended')
        throw new Fault('conversation_ended', 'The conversation has ended, and its settings with it.');
    }
    return { layer, conversationId: conversation };
  }

  @Serve(GET_SETTINGS_SCHEMA)
  getSchema(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply.header('content-type', 'application/schema+json');
    return JSON.stringify(SETTINGS_SCHEMA);
  }

  @Serve(GET_SETTINGS)
  async getSettings(
    @TheCaller() caller: Caller,
    @Checked() { params, query }: Input<typeof GET_SETTINGS>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettingsDocument> {
    const { layer, conversationId } = await this.#place(caller, params, query);
    const { text, version } = await this.#settings.read(caller, layer, conversationId);
    tag(reply, version);
    return JSON.parse(text) as SettingsDocument;
  }

  @Serve(PUT_SETTINGS)
  async putSettings(
    @TheCaller() caller: Caller,
    @Checked() { params, query, body }: Input<typeof PUT_SETTINGS>,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettingsWritten> {
    const place = await this.#place(caller, params, query, true);
    const { version, warnings } = await this.#putSettings(caller, place, body, versionOfIfMatch(ifMatch));
    tag(reply, version);
    return { warnings: [...warnings] };
  }
}

/** What nobody has written yet has no tag: there is nothing of somebody else's to write over. */
const tag = (reply: FastifyReply, version: number): void => {
  if (version > 0) void reply.header('etag', entityTagOf(version));
  void reply.header('cache-control', 'no-cache');
};
