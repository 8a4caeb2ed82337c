/** A person's one-shot answer (D3). Guarantees that only the conversation's own person answers, with the permission they hold now, and that an answer is stored once. */
import { Fault } from '@bravo/faults';
import type { Preview } from '@bravo/policy';
import type { Identity } from '../access/agent.ts';
import { checkAnswers, type GivenAnswer } from '../answers/check-answers.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { Grant, NewGrant } from '../grants/grant.ts';
import { grantTtl } from '../grants/grant-ttl.ts';
import type { TellTurn } from '../turn-notices/turn-notices.ts';
import type { AnswerSignal } from './answer-signal.ts';
import { type Approval, type ApprovalStore, isAskedIn } from './approval.ts';
import type { ApprovalStatus } from './approval-state.ts';

export interface AnswerRequest {
  readonly userId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly toolCallId: string;
  readonly decision: 'approve' | 'deny';
  readonly trustOutput: boolean;
  /** Of a yes: also grants what the question offers for so long, 0: as long as is usual. Absent: no grant. */
  readonly grantTtlSeconds?: number | undefined;
  /** Of a yes to a call that only asks. */
  readonly answers?: readonly GivenAnswer[] | undefined;
}

export interface ResolveSteps {
  readonly approvals: ApprovalStore;
  readonly identity: Identity;
  readonly catalogue: ToolCatalogue;
  readonly notices: TellTurn;
  readonly signal: Pick<AnswerSignal, 'wake'>;
  readonly now: () => number;
  readonly newGrantId: () => string;
}

/** @throws Fault not_found, permission_denied, invalid_argument, already_decided, approval_expired or approval_superseded. */
export const createResolveApproval =
  (steps: ResolveSteps) =>
  async (request: AnswerRequest): Promise<{ approval: Approval; grant: Grant | undefined }> => {
    const { approvals, identity, catalogue, notices, signal, now, newGrantId } = steps;
    const approval = await approvals.findByToolCall(request.toolCallId);
    const owned =
      approval !== undefined &&
      approval.userId === request.userId &&
      approval.workspaceId === request.workspaceId &&
      isAskedIn(approval, request.conversationId);
    if (!owned) throw new Fault('not_found', 'There is no such question in this conversation.');
    if (approval.status === 'pending' && approval.expiresAt.getTime() <= now()) {
      await approvals.expireDue(new Date(now()));
      await notices.tell(approval.conversationId);
      throw notOpen('expired');
    }
    if (approval.status !== 'pending') throw notOpen(approval.status, approval);
    if (request.trustOutput && (request.decision !== 'approve' || !approval.trustOutputOffered)) {
      throw new Fault(
        'invalid_argument',
        'Letting @bravo read the output is not offered for this question. Approve without it, or deny.',
        { meta: { field: 'trust_output' } },
      );
    }
    const grant =
      request.grantTtlSeconds === undefined
        ? undefined
        : grantOf(request, approval, request.grantTtlSeconds, newGrantId);
    const decision = request.decision === 'approve' ? 'approved' : 'denied';
    if (decision === 'approved') {
      const { permissions } = await identity.resolveMember(request.workspaceId, request.userId);
      const needed = catalogue.get(approval.tool)?.manifest.permission;
      if (needed === undefined || !permissions.includes(needed)) {
        throw new Fault(
          'permission_denied',
          `You no longer hold the permission ${needed ?? 'this tool needs'}, so you cannot approve this call. You can deny it.`,
        );
      }
    }
    const answers = decision === 'approved' ? await answersTo(steps, approval, request.answers ?? []) : [];
    const stored = await approvals.answer({
      approvalId: approval.id,
      conversationId: approval.conversationId,
      decision,
      trustOutput: request.trustOutput,
      by: request.userId,
      ...(grant === undefined ? {} : { grant }),
      answers,
    });
    const after = (await approvals.find(approval.id)) ?? approval;
    if (stored === false) throw notOpen(after.status, after);
    // The stream is told before the held call goes on: nobody sees a result before the answer.
    await notices.tell(approval.conversationId);
    signal.wake(approval.id);
    return { approval: after, grant: stored.grant };
  };

/** A yes to questions is their answers, one for each that was shown, and of nothing else there are any. */
const answersTo = async (
  { approvals, catalogue }: Pick<ResolveSteps, 'approvals' | 'catalogue'>,
  approval: Approval,
  given: readonly GivenAnswer[],
) => {
  const unfit = (sentence: string) => new Fault('invalid_argument', sentence, { meta: { field: 'answers' } });
  if (catalogue.get(approval.tool)?.manifest.resultLabel.kind !== 'answered') {
    if (given.length > 0) throw unfit('This call asks for a yes or a no, and for no answers.');
    return [];
  }
  const shown = await approvals.preview(approval);
  if (shown === undefined) throw new Fault('approval_superseded', 'The question is gone with its conversation.');
  return checkAnswers(approval.inputJson, JSON.parse(shown) as Preview, given);
};

/** Exactly what the person was shown with the question, and nothing they write themselves. */
const grantOf = (
  { decision }: AnswerRequest,
  { grantScope, conversationId, workspaceId, userId, tool, toolCallId }: Approval,
  ttlSeconds: number,
  newGrantId: () => string,
): NewGrant => {
  if (decision !== 'approve' || grantScope === undefined) {
    throw new Fault(
      'invalid_argument',
      'A grant is not offered for this question: a person answers such a call each time. Approve without it, or deny.',
      { meta: { field: 'grant' } },
    );
  }
  return {
    id: newGrantId(),
    ...{ conversationId, workspaceId, userId, tool, toolCallId },
    ...{ scope: grantScope, source: 'approval', ttlSeconds: grantTtl(ttlSeconds) },
  };
};

const notOpen = (status: ApprovalStatus, approval?: Approval): Fault => {
  if (status === 'expired' || status === 'pending')
    return new Fault(
      'approval_expired',
      'The question has expired, which refused the call. Ask @bravo again if it is still needed.',
    );
  if (status === 'superseded')
    return new Fault('approval_superseded', 'The question was withdrawn: what it asked about is no longer so.');
  const answer = status === 'denied' ? 'denied' : 'approved';
  const by = approval?.decidedBy ? ` by ${approval.decidedBy}` : '';
  return new Fault('already_decided', `The question was ${answer}${by} before.`, { meta: { decision: answer } });
};
