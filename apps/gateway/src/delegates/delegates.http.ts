/** Delegates over HTTP, for the person whose conversation they work for. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import { ORCHESTRATOR } from '../conversations/conversations.http.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { LIST_DELEGATES } from './delegate-routes.ts';

@Controller()
export class DelegatesController {
  readonly #orchestrator: Orchestrator;
  constructor(@Inject(ORCHESTRATOR) orchestrator: Orchestrator) {
    this.#orchestrator = orchestrator;
  }

  @Serve(LIST_DELEGATES)
  async listDelegates(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof LIST_DELEGATES>) {
    const delegates = await this.#orchestrator.listDelegates(subjectOf(caller), params['cid'] ?? '');
    const sum = (of: 'input_tokens' | 'output_tokens'): number =>
      delegates.reduce((total, { usage }) => total + usage[of], 0);
    return { delegates, usage: { input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens') } };
  }
}
