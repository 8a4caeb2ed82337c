/** What @bravo did in a conversation, and the bytes of it that only the person may see, over HTTP. */
import { Controller, Inject } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type Broker, BROKER } from './broker.ts';
import { LIST_TOOL_CALLS, READ_SLOT, type SlotView } from './tool-call-routes.ts';

@Controller()
export class ToolCallsController {
  readonly #broker: Broker;
  constructor(@Inject(BROKER) broker: Broker) {
    this.#broker = broker;
  }

  @Serve(LIST_TOOL_CALLS)
  async listToolCalls(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof LIST_TOOL_CALLS>) {
    return { tool_calls: await this.#broker.listToolCalls(subjectOf(caller), params['cid'] ?? '') };
  }

  @Serve(READ_SLOT)
  async readSlot(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof READ_SLOT>): Promise<SlotView> {
    const number = Number(params['n']);
    if (!/^\d{1,9}$/.test(params['n'] ?? '') || number < 1) throw new Fault('not_found', 'There is no such slot.');
    return this.#broker.readSlot(subjectOf(caller), params['cid'] ?? '', number);
  }
}
