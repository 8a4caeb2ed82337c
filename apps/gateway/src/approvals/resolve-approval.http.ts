/** The two answers to a question over HTTP; the address names the call, and nothing else can be approved with it. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type Broker, BROKER } from '../tool-calls/broker.ts';
import { APPROVE, DENY, type GivenAnswer } from './approval-routes.ts';
import type { ApprovalView } from './approval-view.ts';

@Controller()
export class ResolveApprovalController {
  readonly #broker: Broker;
  constructor(@Inject(BROKER) broker: Broker) {
    this.#broker = broker;
  }

  @Serve(APPROVE)
  approve(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof APPROVE>,
  ): Promise<ApprovalView & { grant_id?: string }> {
    return this.#broker.resolveApproval(subjectOf(caller), {
      ...namedCall(params),
      decision: 'approve',
      // Only ever there because the person said so in this very answer.
      trustOutput: body.trust_output === true,
      ...(body.grant === undefined ? {} : { grantTtlSeconds: body.grant.ttl_seconds ?? 0 }),
      ...(body.answers === undefined ? {} : { answers: { answers: body.answers.map(toAnswer) } }),
    });
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
