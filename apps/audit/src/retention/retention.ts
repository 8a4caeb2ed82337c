/** Who says what is kept and what is held. Guarantees that every such word is on record with who said it; a time that is missing, zero or shorter than the operator allows must never be taken. */
import type { Principal } from '@bravo/chassis';
import { userActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { requireAuditRead } from '../trail/require-person.ts';
import { type Hold, HOLD_SCOPES, type Policy, type Retention } from './retention.port.ts';
import { readSpan, spellSpan } from './span.ts';

export interface SpelledPolicy {
  readonly rows: string;
  readonly content: string;
}

export interface RetentionView {
  readonly inForce: SpelledPolicy;
  readonly own: boolean;
  readonly least: string;
  /** The first entry that is still there. */
  readonly first: number;
  readonly holds: readonly Hold[];
}

export interface KeepTrail {
  get(principal: Principal): Promise<RetentionView>;
  put(principal: Principal, policy: SpelledPolicy): Promise<SpelledPolicy>;
  place(principal: Principal, hold: { scope: string; subject: string; reason: string }): Promise<Hold>;
  lift(principal: Principal, holdId: string, reason: string): Promise<Hold>;
}

const MOST_REASON = 500;

/** `least` is the shortest time a workspace may choose, in seconds; null: only for ever. */
export const createKeepTrail = (retention: Retention, least: number | null): KeepTrail => ({
  async get(principal) {
    requireAuditRead(principal);
    const { workspaceId } = principal;
    const [{ policy, own }, holds, stub] = await Promise.all([
      retention.policy(workspaceId),
      retention.holds(workspaceId),
      retention.stub(workspaceId),
    ]);
    return { inForce: spell(policy), own, least: spellSpan(least), first: stub?.size ?? 0, holds };
  },

  async put(principal, spelled) {
    requireKeeper(principal);
    const policy = {
      rows: readTime(spelled.rows, 'rows', least),
      content: readTime(spelled.content, 'content', least),
    };
    await retention.setPolicy(principal.workspaceId, policy, userActor(principal.userId));
    return spell(policy);
  },

  async place(principal, { scope, subject, reason }) {
    requireKeeper(principal);
    const known = HOLD_SCOPES.find((one) => one === scope);
    if (known === undefined || (known === 'workspace') !== (subject === ''))
      throw invalid('scope', 'A hold is over the workspace, or over one person or one conversation that it names.');
    const placedBy = userActor(principal.userId);
    return retention.placeHold(principal.workspaceId, { scope: known, subject, reason: readReason(reason), placedBy });
  },

  async lift(principal, holdId, reason) {
    requireKeeper(principal);
    const by = userActor(principal.userId);
    const hold = await retention.liftHold(principal.workspaceId, holdId, by, readReason(reason));
    if (!hold) throw new Fault('not_found', 'There is no such hold.');
    return hold;
  },
});

/** Who decides what is kept can make a record go, so it takes more than reading. */
const requireKeeper = (principal: Principal): void => {
  requireAuditRead(principal);
  if (!principal.permissions.includes('manage_members'))
    throw new Fault('permission_denied', 'Deciding what is kept needs the permission manage_members.');
};

const readTime = (text: string, field: string, least: number | null): number | null => {
  const seconds = readSpan(text);
  if (seconds === undefined)
    throw invalid(
      field,
      `How long ${field} is kept is a time such as 400d, 12h or 90s, or the word forever; never nothing and never zero.`,
    );
  if (seconds !== null && (least === null || seconds < least))
    throw invalid(
      field,
      `The operator keeps everything for at least ${spellSpan(least)}; ${field} cannot be kept for ${text}.`,
    );
  return seconds;
};

const readReason = (text: string): string => {
  const reason = text.trim();
  if (reason === '' || reason.length > MOST_REASON)
    throw invalid('reason', `A reason of 1 to ${MOST_REASON} characters is needed.`);
  return reason;
};

const invalid = (field: string, sentence: string): Fault =>
  new Fault('invalid_argument', sentence, { meta: { field } });
const spell = ({ rows, content }: Policy): SpelledPolicy => ({ rows: spellSpan(rows), content: spellSpan(content) });
