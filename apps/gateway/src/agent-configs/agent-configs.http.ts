/** The agent configuration over HTTP; its version travels as the entity tag. */
import { Controller, Headers, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type AgentConfig, GET_CONFIG, PUT_CONFIG } from './agent-config-routes.ts';
import type { AgentConfigStore, VersionedConfig } from './agent-config-store.ts';
import { entityTagOf, versionOfIfMatch } from './entity-tag.ts';
import type { PutConfig } from './put-config.ts';

export const AGENT_CONFIG_STORE = Symbol('agent-config-store');
export const PUT_CONFIG_USE = Symbol('put-config');

@Controller()
export class AgentConfigsController {
  readonly #configs: AgentConfigStore;
  readonly #putConfig: PutConfig;
  constructor(@Inject(AGENT_CONFIG_STORE) configs: AgentConfigStore, @Inject(PUT_CONFIG_USE) putConfig: PutConfig) {
    this.#configs = configs;
    this.#putConfig = putConfig;
  }

  @Serve(GET_CONFIG)
  async getConfig(@TheCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply): Promise<AgentConfig> {
    return tagged(reply, await this.#configs.read(caller));
  }

  @Serve(PUT_CONFIG)
  async putConfig(
    @TheCaller() caller: Caller,
    @Checked() { body }: Input<typeof PUT_CONFIG>,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AgentConfig> {
    return tagged(reply, await this.#putConfig(caller, body, versionOfIfMatch(ifMatch)));
  }
}

const tagged = (reply: FastifyReply, { config, version }: VersionedConfig): AgentConfig => {
  void reply.header('etag', entityTagOf(version)).header('cache-control', 'no-cache');
  return config;
};
