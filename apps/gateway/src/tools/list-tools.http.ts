/** The tools and what policy says of each to the caller, over HTTP; what is denied is listed too. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import { Serve } from '../routes/serve.http.ts';
import { type Broker, BROKER } from '../tool-calls/broker.ts';
import { LIST_TOOLS } from './tool-routes.ts';

@Controller()
export class ListToolsController {
  readonly #broker: Broker;
  constructor(@Inject(BROKER) broker: Broker) {
    this.#broker = broker;
  }

  @Serve(LIST_TOOLS)
  async listTools(@TheCaller() caller: Caller) {
    return { tools: await this.#broker.listTools(subjectOf(caller)) };
  }
}
