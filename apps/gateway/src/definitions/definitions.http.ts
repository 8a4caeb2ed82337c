/** Skills and agent definitions over HTTP; the version travels as the entity tag. */
import { Controller, Headers, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { entityTagOf, versionOfIfMatch } from '../agent-configs/entity-tag.ts';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import {
  DELETE_DEFINITION,
  type DefinitionList,
  type DefinitionText,
  type DefinitionWritten,
  GET_DEFINITION,
  LIST_DEFINITIONS,
  PUT_DEFINITION,
} from './definition-routes.ts';
import type { DefinitionPlace, Definitions } from './definitions.ts';

export const DEFINITIONS = Symbol('definitions');

@Controller()
export class DefinitionsController {
  readonly #definitions: Definitions;
  constructor(@Inject(DEFINITIONS) definitions: Definitions) {
    this.#definitions = definitions;
  }

  @Serve(LIST_DEFINITIONS)
  async listDefinitions(@TheCaller() caller: Caller): Promise<DefinitionList> {
    return { definitions: [...(await this.#definitions.list(caller))] };
  }

  @Serve(GET_DEFINITION)
  async getDefinition(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof GET_DEFINITION>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DefinitionText> {
    return tagged(reply, await this.#definitions.read(caller, placeOf(params)));
  }

  @Serve(PUT_DEFINITION)
  async putDefinition(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof PUT_DEFINITION>,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DefinitionWritten> {
    const seen = versionOfIfMatch(ifMatch);
    return tagged(reply, await this.#definitions.put(caller, placeOf(params), body.text, seen));
  }

  @Serve(DELETE_DEFINITION)
  async deleteDefinition(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof DELETE_DEFINITION>,
  ): Promise<void> {
    await this.#definitions.remove(caller, placeOf(params));
  }
}

const placeOf = ({ kind = '', layer = '', name = '' }: Readonly<Record<string, string>>): DefinitionPlace => ({
  ...{ kind, layer, name },
});

const tagged = <T extends { readonly version: number }>(reply: FastifyReply, answer: T): T => {
  void reply.header('etag', entityTagOf(answer.version)).header('cache-control', 'no-cache');
  return answer;
};
