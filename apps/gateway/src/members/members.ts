/** The members of the caller's workspace, wherever they are kept; who may change whom is decided there. */
import type { Caller } from '../callers/caller.ts';
import type { MemberView } from './member-routes.ts';

export interface Members {
  list(caller: Caller): Promise<MemberView[]>;
  /** @throws Fault permission_denied, not_found */
  setRole(caller: Caller, userId: string, role: string): Promise<MemberView>;
}
