/** Which events somebody is notified of, in our own words: kinds, names of tools and times; nothing that was said, written or found. */
import type { Happening } from '../happenings/happening.ts';
import type { Kind } from '../preferences/preferences.ts';

export interface Told {
  readonly kind: Kind;
  readonly text: string;
  /** What settles it; empty where nothing does. */
  readonly subject: string;
  /** Whom it concerns: whose it is, or whoever may read the whole trail. */
  readonly whom: 'owner' | 'auditors';
}

const word = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300) : '';

export const tellNotification = ({ type, data }: Happening, longTurnMs: number): Told | undefined => {
  switch (type) {
    case 'agent.tool.approval_requested':
      return {
        kind: 'approval_wanted',
        text: `@bravo waits for your answer: may it use ${word(data['tool'])}?`,
        subject: word(data['approval_id']),
        whom: 'owner',
      };
    case 'agent.turn.finished': {
      const duration = Number(data['duration_ms']);
      if (!(duration >= longTurnMs)) return undefined;
      const end = data['status'] === 'completed' ? 'has answered' : 'has stopped without an answer';
      return { kind: 'turn_finished', text: `@bravo ${end} after ${spelled(duration)}.`, subject: '', whom: 'owner' };
    }
    case 'agent.budget.near': {
      const limit = word(data['limit']);
      const text = `${Math.floor(Number(data['percent']))} % of ${LIMITS[limit] ?? `the limit ${limit}`} is used.`;
      // A whole workspace's is for those to know who answer for it.
      return { kind: 'budget_near', text, subject: '', whom: limit.startsWith('workspace') ? 'auditors' : 'owner' };
    }
    case 'agent.trail.alerted':
      return {
        kind: 'trail_problem',
        text: `The trail needs somebody: ${word(data['reason'])}`,
        subject: '',
        whom: 'auditors',
      };
    default:
      return undefined;
  }
};

const LIMITS: Readonly<Record<string, string>> = {
  personDailyTokens: 'your tokens for today',
  workspaceDailyTokens: "the workspace's tokens for today",
  conversationTokens: "this conversation's tokens",
  treeTokens: 'the tokens of this conversation and its delegates',
  personMonthlyCents: 'your budget for this month',
  workspaceMonthlyCents: "the workspace's budget for this month",
};

/** The approval that an event settles; empty where it settles none. */
export const settledBy = ({ type, data }: Happening): string =>
  /^agent\.tool\.(approved|denied|expired|superseded)$/.test(type) ? word(data['approval_id']) : '';

const spelled = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
};
