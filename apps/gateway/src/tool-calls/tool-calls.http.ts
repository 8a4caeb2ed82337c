/** What @bravo did, what waits for an answer, and the bytes only the person may see, over HTTP. */
import { Controller, Inject } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import { LIST_APPROVALS } from '../approvals/approval-routes.ts';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { LIST_TOOLS } from '../tools/tool-routes.ts';
import type { Broker } from './broker.ts';
import { LIST_TOOL_CALLS, READ_SLOT, type SlotView } from './tool-call-routes.ts';

export const BROKER = Symbol('broker');

@Controller()
export class ToolCallsController {
  readonly #broker: Broker;
  constructor(@Inject(BROKER) broker: Broker) {
    this.#broker = broker;
  }

  @Serve(LIST_TOOLS)
  async listTools(@TheCaller() caller: Caller) {
    return { tools: await this.#broker.listTools(subjectOf(caller)) };
  }

  @Serve(LIST_TOOL_CALLS)
  async listToolCalls(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof LIST_TOOL_CALLS>) {
    return { tool_calls: await this.#broker.listToolCalls(subjectOf(caller), params['cid'] ?? '') };
  }

  @Serve(LIST_APPROVALS)
  async listApprovals(@TheCaller() caller: Caller) {
    return { approvals: await this.#broker.listOpenApprovals(subjectOf(caller), '') };
  }

  @Serve(READ_SLOT)
  async readSlot(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof READ_SLOT>): Promise<SlotView> {
    const number = Number(params['n']);
    if (!/^\d{1,9}$/.test(params['n'] ?? '') || number < 1) throw new Fault('not_found', 'There is no such slot.');
    return this.#broker.readSlot(subjectOf(caller), params['cid'] ?? '', number);
  }
}
