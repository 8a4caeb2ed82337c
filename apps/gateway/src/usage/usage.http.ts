/** GET usage over HTTP. Whose usage is shown follows from the caller's permissions; no parameter can name another person. */
import { Controller, Inject } from '@nestjs/common';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import type { SumUsage } from './sum-usage.ts';
import { GET_USAGE, type UsageView } from './usage-routes.ts';

export const SUM_USAGE = Symbol('sum-usage');

@Controller()
export class UsageController {
  readonly #sum: SumUsage;
  constructor(@Inject(SUM_USAGE) sum: SumUsage) {
    this.#sum = sum;
  }

  @Serve(GET_USAGE)
  getUsage(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof GET_USAGE>): Promise<UsageView> {
    return this.#sum(caller, { from: query.from, to: query.to });
  }
}
