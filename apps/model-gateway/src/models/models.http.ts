/** GET /v1/models for pods: the model of their conversation in the OpenAI shape, for a bound agent token only. */
import { Controller, Get, Headers, Inject } from '@nestjs/common';
import type { AuthenticateAgent } from '../callers/agent-caller.ts';
import { AUTHENTICATE_AGENT } from '../chat-completions/chat-completions.http.ts';
import type { ChooseModel } from '../choices/choose-model.ts';

export const CHOOSE_MODEL = Symbol('choose model');

@Controller('v1/models')
export class ModelsController {
  readonly #authenticate: AuthenticateAgent;
  readonly #chooseModel: ChooseModel;
  constructor(
    @Inject(AUTHENTICATE_AGENT) authenticate: AuthenticateAgent,
    @Inject(CHOOSE_MODEL) chooseModel: ChooseModel,
  ) {
    this.#authenticate = authenticate;
    this.#chooseModel = chooseModel;
  }

  @Get()
  async list(@Headers('authorization') authorization: string | undefined): Promise<object> {
    const caller = await this.#authenticate(authorization);
    const { targets, roster } = await this.#chooseModel(caller);
    const [chosen] = targets;
    const window = roster.describe(chosen)?.contextTokens ?? null;
    const model = { id: chosen.id, object: 'model', created: 0, owned_by: chosen.provider.id };
    return { object: 'list', data: [{ ...model, ...(window !== null && { context_length: window }) }] };
  }
}
