/** The two answers to a question over HTTP; the address names the call, and nothing else can be approved with it. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { APPROVE, DENY } from './approval-routes.ts';
import type { ApprovalView } from './approval-view.ts';
import type { ResolveApproval } from './resolve-approval.ts';

export const RESOLVE_APPROVAL = Symbol('resolve-approval');

@Controller()
export class ResolveApprovalController {
  readonly #resolve: ResolveApproval;
  constructor(@Inject(RESOLVE_APPROVAL) resolve: ResolveApproval) {
    this.#resolve = resolve;
  }

  @Serve(APPROVE)
  approve(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof APPROVE>): Promise<ApprovalView> {
    return this.#resolve(subjectOf(caller), {
      ...namedCall(params),
      decision: 'approve',
      trustOutput: body.trust_output === true,
    });
  }

  @Serve(DENY)
  deny(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof DENY>): Promise<ApprovalView> {
    return this.#resolve(subjectOf(caller), { ...namedCall(params), decision: 'deny', trustOutput: false });
  }
}

const namedCall = ({ cid = '', tcid = '' }: Readonly<Record<string, string>>) => ({
  conversationId: cid,
  toolCallId: tcid,
});
