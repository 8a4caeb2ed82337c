/** Explains a hypothetical call over HTTP, to the person who would make it. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type Broker, BROKER } from '../tool-calls/broker.ts';
import { EXPLAIN_CALL, type ExplanationView } from './explain-routes.ts';

@Controller()
export class ExplainCallController {
  readonly #broker: Broker;
  constructor(@Inject(BROKER) broker: Broker) {
    this.#broker = broker;
  }

  @Serve(EXPLAIN_CALL)
  explainCall(@TheCaller() caller: Caller, @Checked() { body }: Input<typeof EXPLAIN_CALL>): Promise<ExplanationView> {
    const { tool, input, conversation = '' } = body;
    return this.#broker.explainCall(subjectOf(caller), { conversationId: conversation, tool, input });
  }
}
