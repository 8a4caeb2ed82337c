/** The inbox of questions over HTTP: over all conversations of the caller, and of nobody else. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type Broker, BROKER } from '../tool-calls/broker.ts';
import { GET_PREVIEW, LIST_APPROVALS } from './approval-routes.ts';
import type { PreviewView } from './approval-view.ts';

@Controller()
export class ListApprovalsController {
  readonly #broker: Broker;
  constructor(@Inject(BROKER) broker: Broker) {
    this.#broker = broker;
  }

  @Serve(GET_PREVIEW)
  getPreview(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof GET_PREVIEW>): Promise<PreviewView> {
    return this.#broker.getPreview(subjectOf(caller), params['cid'] ?? '', params['tcid'] ?? '');
  }

  @Serve(LIST_APPROVALS)
  async listApprovals(@TheCaller() caller: Caller) {
    return { approvals: await this.#broker.listOpenApprovals(subjectOf(caller), '') };
  }
}
