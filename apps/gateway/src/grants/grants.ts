/** Session grants as the gateway uses them; who may do what is decided where they are kept. */
import type { CallSubject } from '../callers/caller.ts';
import type { GrantView } from './grant-routes.ts';

export const GRANTS = Symbol('grants');

/** `ttlSeconds` undefined: as long as is usual. */
export interface Grants {
  create(
    subject: CallSubject,
    grant: { conversationId: string; tool: string; scope: object; ttlSeconds: number | undefined },
  ): Promise<GrantView>;
  list(subject: CallSubject, conversationId: string): Promise<GrantView[]>;
  revoke(subject: CallSubject, conversationId: string, grantId: string): Promise<void>;
  answerStepUp(
    subject: CallSubject,
    answer: { conversationId: string; toolCallId: string; ttlSeconds: number | undefined },
  ): Promise<GrantView>;
}
