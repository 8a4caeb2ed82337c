/** Shows a person what was drawn for a question of theirs; of anybody else's there is none. */
import { Fault } from '@bravo/faults';
import type { PersonPrincipal } from '../access/person.ts';
import { type ApprovalStore, isAskedIn } from '../approvals/approval.ts';

/** JSON of a Preview. @throws Fault not_found for what is erased, foreign or never was. */
export type GetPreview = (person: PersonPrincipal, conversationId: string, toolCallId: string) => Promise<string>;

export const createGetPreview =
  (approvals: Pick<ApprovalStore, 'findByToolCall' | 'preview'>): GetPreview =>
  async ({ userId, workspaceId }, conversationId, toolCallId) => {
    const approval = await approvals.findByToolCall(toolCallId);
    const owned =
      approval !== undefined &&
      approval.userId === userId &&
      approval.workspaceId === workspaceId &&
      isAskedIn(approval, conversationId);
    const preview = owned ? await approvals.preview(approval) : undefined;
    if (preview === undefined) throw new Fault('not_found', 'There is no such question in this conversation.');
    return preview;
  };
