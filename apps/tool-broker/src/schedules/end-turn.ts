/** The end of a turn as schedules see it: what has to be found out first (a budget, a verdict) is found out, then it is taken once. */
import type { ConversationStore } from '../conversations/conversation.ts';
import type { IsolatedModels } from '../processors/isolated-models.ts';
import { judgeGoal } from './judge-goal.ts';
import type { EndedTurn, Findings, ScheduleStore } from './schedule.ts';

export interface EndTurnParts {
  readonly schedules: Pick<ScheduleStore, 'ofTurn' | 'endTurn'>;
  readonly conversations: Pick<ConversationStore, 'find'>;
  readonly models: IsolatedModels;
  /** Whether what the person may spend is used up; false while nobody can say. */
  budgetGone(owner: EndedTurn): Promise<boolean>;
  readonly onError: (error: unknown, schedule: string) => void;
}

/** True: a goal is judged by what was answered, so the end is told again with it. */
export type EndTurn = (turn: EndedTurn, answer: string) => Promise<boolean>;

export const createEndTurn =
  ({ schedules, conversations, models, budgetGone, onError }: EndTurnParts): EndTurn =>
  async (turn, answer) => {
    const schedule = await schedules.ofTurn(turn);
    const judged = schedule?.kind === 'goal' && turn.status === 'completed';
    if (judged && answer === '') return true;
    let verdict: Findings['verdict'];
    if (judged) {
      const { context } = (await conversations.find(turn.conversationId)) ?? { context: 'unknown' as const };
      // A verdict over words that somebody else may have steered would be theirs.
      const trusted = context !== 'unknown' && context.integrity === 'trusted';
      verdict = !trusted
        ? 'unjudged'
        : await judgeGoal(models, turn, schedule.line, answer).catch((error: unknown) => {
            onError(error, schedule.id);
            return 'not_met' as const;
          });
    }
    const failed = turn.status === 'failed' || turn.status === 'interrupted';
    const gone = schedule !== undefined && failed && (await budgetGone(turn));
    await schedules.endTurn(turn, { budgetGone: gone, verdict });
    return false;
  };
