/** The life of a question. Only these steps exist, each is taken by compare-and-set, and no step leads back. */

export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'denied',
  'expired',
  'superseded',
  'executing',
  'done',
  'failed',
  'outcome_unknown',
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

const NEXT: Readonly<Record<ApprovalStatus, readonly ApprovalStatus[]>> = {
  pending: ['approved', 'denied', 'expired', 'superseded'],
  // Superseded: what the yes was given for is no longer so. It can only take a yes away.
  approved: ['executing', 'superseded'],
  executing: ['done', 'failed', 'outcome_unknown'],
  denied: [],
  expired: [],
  superseded: [],
  done: [],
  failed: [],
  outcome_unknown: [],
};

export const isApprovalStatus = (text: string): text is ApprovalStatus =>
  (APPROVAL_STATUSES as readonly string[]).includes(text);

/** Statuses from which `to` may be entered: the `where` of the compare-and-set. */
export const statusesBefore = (to: ApprovalStatus): ApprovalStatus[] =>
  APPROVAL_STATUSES.filter((from) => NEXT[from].includes(to));

/** Whether a call still waits on it. */
export const isLive = (status: ApprovalStatus): boolean => NEXT[status].length > 0;
