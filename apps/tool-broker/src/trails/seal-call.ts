/** What of a call is sealed: all it was given, and all that came back, also what the planner is not shown. */
import type { FinishedCall, JudgedCall } from '../tool-calls/tool-call-ledger.ts';
import type { ContentSealer, SealedContent } from './content-sealer.ts';

export const sealInput = (seal: ContentSealer, { request }: JudgedCall): Promise<SealedContent> =>
  seal(request.agent.workspaceId, request.agent.userId, JSON.stringify({ arguments: request.arguments }));

/** The references say which is which. */
export const sealOutput = (
  seal: ContentSealer,
  { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
  { text, slots }: FinishedCall,
): Promise<SealedContent> => {
  const kept = slots.map(({ number, name, content }) => ({
    number,
    name,
    content: Buffer.from(content).toString('base64'),
  }));
  return seal(workspaceId, userId, JSON.stringify({ text, slots: kept }));
};
