/** Passes a person's one answer to one question to the broker, which alone decides whether it still counts. */
import type { CallSubject } from '../callers/caller.ts';
import type { Broker } from '../tool-calls/broker.ts';
import type { ApprovalView } from './approval-view.ts';

export interface PersonsAnswer {
  readonly conversationId: string;
  readonly toolCallId: string;
  readonly decision: 'approve' | 'deny';
  /** Only ever true because the person said so in this very answer. */
  readonly trustOutput: boolean;
}

export const createResolveApproval =
  ({ broker }: { broker: Pick<Broker, 'resolveApproval'> }) =>
  (subject: CallSubject, answer: PersonsAnswer): Promise<ApprovalView> =>
    broker.resolveApproval(subject, { ...answer, trustOutput: answer.decision === 'approve' && answer.trustOutput });

export type ResolveApproval = ReturnType<typeof createResolveApproval>;
