/** Reads the log for a person: all of it with `audit_read`, else the trail of a conversation of their own and nothing more. */
import { Fault } from '@bravo/faults';
import { type Caller, type CallSubject, subjectOf } from '../callers/caller.ts';
import type { Orchestrator, Page } from '../conversations/orchestrator.ts';
import type { AlertView, CheckpointView, EntryView, VerificationView } from './trail-routes.ts';

/** Empty: not asked about. */
export interface TrailFilter {
  readonly conversationId: string;
  readonly actor: string;
  readonly onBehalfOf: string;
  readonly type: string;
  readonly tool: string;
  readonly toolCallId: string;
  readonly decision: string;
  readonly rule: string;
  readonly resource: string;
  readonly text: string;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly order: 'asc' | 'desc';
}

export interface VerificationProgress {
  readonly checked: number;
  readonly size: number;
  /** Only in the last one. */
  readonly result: VerificationView | undefined;
}

export interface Trail {
  listEntries(
    subject: CallSubject,
    page: Page,
    filter: TrailFilter,
  ): Promise<{ entries: EntryView[]; nextCursor: string }>;
  verifyLog(subject: CallSubject, deep: boolean): Promise<VerificationView>;
  watchVerification(subject: CallSubject, deep: boolean, signal: AbortSignal): AsyncIterable<VerificationProgress>;
  getCheckpoint(subject: CallSubject, asked: { older: number[]; indexes: number[] }): Promise<CheckpointView>;
  /** Text in pieces. */
  exportEntries(
    subject: CallSubject,
    asked: { format: string; older: number[]; filter: TrailFilter },
    signal: AbortSignal,
  ): AsyncIterable<string>;
  listAlerts(subject: CallSubject): Promise<AlertView[]>;
  /** JSON texts, empty where there is nothing that can be opened. */
  openContent(subject: CallSubject, toolCallId: string): Promise<{ input: string; output: string; erased: boolean }>;
  erasePerson(subject: CallSubject, userId: string, reason: string): Promise<number>;
}

export interface ReadTrailParts {
  readonly trail: Trail;
  readonly orchestrator: Pick<Orchestrator, 'getConversation'>;
}

const READ_ALL = 'audit_read';

export const createReadTrail =
  ({ trail, orchestrator }: ReadTrailParts) =>
  async (caller: Caller, page: Page, filter: TrailFilter): Promise<{ entries: EntryView[]; nextCursor: string }> => {
    const subject = subjectOf(caller);
    if (!caller.permissions.includes(READ_ALL)) {
      if (filter.conversationId === '') {
        throw new Fault(
          'permission_denied',
          `The whole log needs the permission ${READ_ALL}. Name one of your conversations to see its trail.`,
        );
      }
      await orchestrator.getConversation(subject, filter.conversationId);
    }
    return trail.listEntries(subject, page, filter);
  };

export type ReadTrail = ReturnType<typeof createReadTrail>;
