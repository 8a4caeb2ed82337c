/** Questions that were asked before others, answered from the log; each answer is entries in the order they were recorded. */
import type { StoredEntry } from '../trail/entries.port.ts';
import type { LeafColumns } from '../trail/leaf.ts';

export interface QuestionPage {
  /** Entries after this index. */
  readonly after: number;
  readonly limit: number;
}

export interface Questions {
  /** Where a slot came from, what of its call was released, and who opened that call's content; the first entry is its quarantine. */
  slot(workspaceId: string, conversationId: string, slot: number, page: QuestionPage): Promise<readonly StoredEntry[]>;
  /** The grant, each decision that it settled, and all that came of those calls. */
  grant(workspaceId: string, grantId: string, page: QuestionPage): Promise<readonly StoredEntry[]>;
  /** Each answer of a person, and all that came of the call from then on. */
  approvals(workspaceId: string, userId: string, page: QuestionPage): Promise<readonly StoredEntry[]>;
  /** Where a grant was given; undefined where none of that id was. */
  grantOf(workspaceId: string, grantId: string): Promise<LeafColumns | undefined>;
}
