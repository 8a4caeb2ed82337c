/** Session grants over HTTP, for the conversation's own person. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { ANSWER_STEP_UP, CREATE_GRANT, type GrantView, LIST_GRANTS, REVOKE_GRANT } from './grant-routes.ts';
import { type Grants, GRANTS } from './grants.ts';

@Controller()
export class GrantsController {
  readonly #grants: Grants;
  constructor(@Inject(GRANTS) grants: Grants) {
    this.#grants = grants;
  }

  @Serve(CREATE_GRANT)
  createGrant(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof CREATE_GRANT>,
  ): Promise<GrantView> {
    const { tool, scope, ttl_seconds: ttlSeconds } = body;
    return this.#grants.create(subjectOf(caller), { conversationId: params['cid'] ?? '', tool, scope, ttlSeconds });
  }

  @Serve(LIST_GRANTS)
  async listGrants(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof LIST_GRANTS>) {
    return { grants: await this.#grants.list(subjectOf(caller), params['cid'] ?? '') };
  }

  @Serve(REVOKE_GRANT)
  revokeGrant(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof REVOKE_GRANT>): Promise<void> {
    return this.#grants.revoke(subjectOf(caller), params['cid'] ?? '', params['gid'] ?? '');
  }

  @Serve(ANSWER_STEP_UP)
  answerStepUp(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof ANSWER_STEP_UP>,
  ): Promise<GrantView> {
    const { cid: conversationId = '', tcid: toolCallId = '' } = params;
    return this.#grants.answerStepUp(subjectOf(caller), { conversationId, toolCallId, ttlSeconds: body.ttl_seconds });
  }
}
