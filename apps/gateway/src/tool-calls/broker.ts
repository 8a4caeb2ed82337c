/** What the gateway asks of the tool-broker, in the API's own words; every call is made for a person. */
import type { ApprovalView, PreviewView } from '../approvals/approval-view.ts';
import type { CallSubject } from '../callers/caller.ts';
import type { ExplanationView } from '../explanations/explain-routes.ts';
import type { ToolView } from '../tools/tool-routes.ts';
import type { SlotView, ToolCallView } from './tool-call-routes.ts';

/** The one implementation the controllers are given. */
export const BROKER = Symbol('broker');

export interface Broker {
  listTools(subject: CallSubject): Promise<ToolView[]>;
  listToolCalls(subject: CallSubject, conversationId: string): Promise<ToolCallView[]>;
  /** Questions that wait; of one conversation, or of all (empty id). */
  listOpenApprovals(subject: CallSubject, conversationId: string): Promise<ApprovalView[]>;
  getPreview(subject: CallSubject, conversationId: string, toolCallId: string): Promise<PreviewView>;
  resolveApproval(
    subject: CallSubject,
    answer: {
      conversationId: string;
      toolCallId: string;
      decision: 'approve' | 'deny';
      trustOutput: boolean;
      /** Absent: no grant; 0: one of the usual life. */
      grantTtlSeconds?: number;
      /** Of a yes to a call that only asks. */
      answers?: {
        answers: { question: number; options: number[]; words: string; skipped: boolean }[];
      };
    },
  ): Promise<ApprovalView & { grant_id?: string }>;
  readSlot(subject: CallSubject, conversationId: string, number: number): Promise<SlotView>;
  /** An empty conversation id: as in one that begins now. */
  explainCall(
    subject: CallSubject,
    call: { conversationId: string; tool: string; input: Readonly<Record<string, unknown>> },
  ): Promise<ExplanationView>;
}
