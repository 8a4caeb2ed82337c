/** Models over HTTP. */
import { Controller, Inject } from '@nestjs/common';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import type { ChooseModel } from './choose-model.ts';
import {
  type ChoiceView,
  GET_CONVERSATION_MODEL,
  GET_MODEL,
  LIST_MODELS,
  type ModelList,
  PUT_CONVERSATION_MODEL,
  PUT_MODEL,
} from './model-routes.ts';

export const CHOOSE_MODEL_USE = Symbol('choose-model');

@Controller()
export class ModelsController {
  readonly #models: ChooseModel;
  constructor(@Inject(CHOOSE_MODEL_USE) models: ChooseModel) {
    this.#models = models;
  }

  @Serve(LIST_MODELS)
  listModels(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof LIST_MODELS>): Promise<ModelList> {
    return this.#models.list(caller, query.search ?? '');
  }

  @Serve(GET_MODEL)
  getModel(@TheCaller() caller: Caller): Promise<ChoiceView> {
    return this.#models.read(caller, '');
  }

  @Serve(PUT_MODEL)
  putModel(@TheCaller() caller: Caller, @Checked() { body }: Input<typeof PUT_MODEL>): Promise<ChoiceView> {
    return this.#models.put(caller, body.scope ?? 'person', '', body);
  }

  @Serve(GET_CONVERSATION_MODEL)
  getConversationModel(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof GET_CONVERSATION_MODEL>,
  ): Promise<ChoiceView> {
    return this.#models.read(caller, params['cid'] ?? '');
  }

  @Serve(PUT_CONVERSATION_MODEL)
  putConversationModel(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof PUT_CONVERSATION_MODEL>,
  ): Promise<ChoiceView> {
    return this.#models.put(caller, 'conversation', params['cid'] ?? '', body);
  }
}
