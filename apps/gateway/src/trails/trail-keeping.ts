/** What the trail keeps and is asked, as the edge needs it of audit. */
import type { CallSubject } from '../callers/caller.ts';
import type { Page } from '../conversations/orchestrator.ts';
import type { HoldView, RejectionView, RetentionBody, RetentionView, SeerView } from './trail-keeping-routes.ts';
import type { EntryView } from './trail-routes.ts';

export interface TrailQuestion {
  readonly question: string;
  readonly conversationId: string;
  readonly slot: number;
  readonly subject: string;
}

export interface TrailKeeping {
  retention(subject: CallSubject): Promise<RetentionView>;
  putRetention(subject: CallSubject, policy: RetentionBody): Promise<RetentionBody>;
  placeHold(subject: CallSubject, hold: { scope: string; subject: string; reason: string }): Promise<HoldView>;
  liftHold(subject: CallSubject, holdId: string, reason: string): Promise<HoldView>;
  ask(
    subject: CallSubject,
    page: Page,
    question: TrailQuestion,
  ): Promise<{ entries: EntryView[]; seers: SeerView[]; nextCursor: string }>;
  rejections(subject: CallSubject): Promise<RejectionView[]>;
  retryRejection(subject: CallSubject, id: number): Promise<string>;
}
