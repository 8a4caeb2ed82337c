/** GET /v1/models for pods: the models on offer in the OpenAI shape, for a bound agent token only. */
import { Controller, Get, Headers, Inject } from '@nestjs/common';
import type { AuthenticateAgent } from '../callers/agent-caller.ts';
import { AUTHENTICATE_AGENT } from '../chat-completions/chat-completions.http.ts';
import type { ModelProvider } from '../providers/model-provider.port.ts';

export const MODEL_PROVIDER = Symbol('model provider');

@Controller('v1/models')
export class ModelsController {
  readonly #authenticate: AuthenticateAgent;
  readonly #provider: ModelProvider;
  constructor(
    @Inject(AUTHENTICATE_AGENT) authenticate: AuthenticateAgent,
    @Inject(MODEL_PROVIDER) provider: ModelProvider,
  ) {
    this.#authenticate = authenticate;
    this.#provider = provider;
  }

  @Get()
  async list(@Headers('authorization') authorization: string | undefined): Promise<object> {
    await this.#authenticate(authorization);
    const data = this.#provider.models.map(({ id, provider }) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: provider,
    }));
    return { object: 'list', data };
  }
}
