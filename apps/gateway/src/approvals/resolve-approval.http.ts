/** The two answers to a question over HTTP; the address names the call, and nothing else can be approved with it. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type Broker, BROKER } from '../tool-calls/broker.ts';
import { APPROVE, DENY, type GivenAnswer } from './approval-routes.ts';
import type { ApprovalView } from './approval-view.ts';
import { APPROVE_USE, type ApproveCall, type Approved } from './approve-call.ts';

@Controller()
export class ResolveApprovalController {
  readonly #broker: Broker;
  readonly #approve: ApproveCall;
  constructor(@Inject(BROKER) broker: Broker, @Inject(APPROVE_USE) approve: ApproveCall) {
    this.#approve = approve;
    this.#broker = broker;
  }

  @Serve(APPROVE)
  approve(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof APPROVE>): Promise<Approved> {
    const answer = {
      ...namedCall(params),
      decision: 'approve' as const,
      // Only ever there because the person said so in this very answer.
      trustOutput: body.trust_output === true,
      ...(body.grant === undefined ? {} : { grantTtlSeconds: body.grant.ttl_seconds ?? 0 }),
      ...(body.answers === undefined ? {} : { answers: { answers: body.answers.map(toAnswer) } }),
    };
    return this.#approve(caller, answer, body.remember === true);
  }

  @Serve(DENY)
  deny(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof DENY>): Promise<ApprovalView> {
    const answer = { ...namedCall(params), decision: 'deny', trustOutput: false } as const;
    return this.#broker.resolveApproval(subjectOf(caller), answer);
  }
}

const toAnswer = ({ question, options = [], words = '', skip }: GivenAnswer) => ({
  ...{ question, words, skipped: skip === true },
  options: [...options],
});

const namedCall = ({ cid = '', tcid = '' }: Readonly<Record<string, string>>) => ({
  conversationId: cid,
  toolCallId: tcid,
});
