/** Listing members and changing a role over HTTP; the workspace is the caller's own. */
import { Controller, Inject } from '@nestjs/common';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { LIST_MEMBERS, type MemberView, SET_MEMBER_ROLE } from './member-routes.ts';
import type { Members } from './members.ts';

export const MEMBERS = Symbol('members');

@Controller()
export class MembersController {
  readonly #members: Members;
  constructor(@Inject(MEMBERS) members: Members) {
    this.#members = members;
  }

  @Serve(LIST_MEMBERS)
  async listMembers(@TheCaller() caller: Caller) {
    return { members: await this.#members.list(caller) };
  }

  @Serve(SET_MEMBER_ROLE)
  setMemberRole(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof SET_MEMBER_ROLE>,
  ): Promise<MemberView> {
    return this.#members.setRole(caller, params['uid'] ?? '', body.role);
  }
}
