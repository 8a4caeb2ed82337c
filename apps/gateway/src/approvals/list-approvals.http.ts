/** The inbox of questions over HTTP: over all conversations of the caller, and of nobody else. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import { Serve } from '../routes/serve.http.ts';
import { type Broker, BROKER } from '../tool-calls/broker.ts';
import { LIST_APPROVALS } from './approval-routes.ts';

@Controller()
export class ListApprovalsController {
  readonly #broker: Broker;
  constructor(@Inject(BROKER) broker: Broker) {
    this.#broker = broker;
  }

  @Serve(LIST_APPROVALS)
  async listApprovals(@TheCaller() caller: Caller) {
    return { approvals: await this.#broker.listOpenApprovals(subjectOf(caller), '') };
  }
}
