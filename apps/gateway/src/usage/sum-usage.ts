/** Adds up tokens and container time by day and by person; who does not manage members is shown their own and nobody else's. */
import { Fault } from '@bravo/faults';
import { type Caller, managesMembers, subjectOf } from '../callers/caller.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import type { UsageView } from './usage-routes.ts';

export interface DayTokenUsage {
  readonly day: string;
  readonly userId: string;
  readonly model: string;
  readonly conversationId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requests: number;
  readonly failed: number;
  readonly costMicros: number;
  readonly credits: number;
}

export interface TokenLedger {
  listTokenUsage(subject: ReturnType<typeof subjectOf>, from: Date, to: Date): Promise<DayTokenUsage[]>;
  readAllowance(subject: ReturnType<typeof subjectOf>): Promise<Pick<UsageView, 'credits' | 'limits'>>;
}

export interface SumUsageParts {
  readonly orchestrator: Pick<Orchestrator, 'listContainerUsage'>;
  readonly tokens: TokenLedger;
  readonly now: () => Date;
}

type Amounts = UsageView['total'];

const NOTHING: Amounts = {
  ...{ input_tokens: 0, output_tokens: 0, requests: 0, failed: 0 },
  ...{ cost_usd: 0, credits: 0, container_seconds: 0 },
};

const add = (a: Amounts, b: Amounts): Amounts => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  requests: a.requests + b.requests,
  failed: a.failed + b.failed,
  credits: a.credits + b.credits,
  // Millionths are what is counted.
  cost_usd: Math.round((a.cost_usd + b.cost_usd) * 1_000_000) / 1_000_000,
  // Three decimals: milliseconds are what is measured, and sums of binary fractions look odd.
  container_seconds: Math.round((a.container_seconds + b.container_seconds) * 1000) / 1000,
});

interface Row {
  readonly day: string;
  readonly userId: string;
  /** Empty for a pod's time. */
  readonly model: string;
  readonly conversationId: string;
  readonly amounts: Amounts;
}

export const createSumUsage =
  ({ orchestrator, tokens, now }: SumUsageParts) =>
  async (caller: Caller, asked: { from: string | undefined; to: string | undefined }): Promise<UsageView> => {
    const to = asked.to ? new Date(asked.to) : now();
    const from = asked.from ? new Date(asked.from) : new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1));
    if (from > to) throw new Fault('invalid_argument', '"from" lies after "to".', { meta: { field: 'from' } });
    const subject = subjectOf(caller);
    const [containerRows, tokenRows, allowance] = await Promise.all([
      orchestrator.listContainerUsage(subject, from, to),
      tokens.listTokenUsage(subject, from, to),
      tokens.readAllowance(subject),
    ]);
    const rows: Row[] = [
      ...containerRows.map(({ day, userId, containerSeconds }) => ({
        ...{ day, userId, model: '', conversationId: '' },
        amounts: { ...NOTHING, container_seconds: containerSeconds },
      })),
      ...tokenRows.map(({ day, userId, model, conversationId, inputTokens, outputTokens, costMicros, ...counts }) => ({
        ...{ day, userId, model, conversationId },
        amounts: {
          ...NOTHING,
          ...{ input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costMicros / 1_000_000 },
          ...{ requests: counts.requests, failed: counts.failed, credits: counts.credits },
        },
      })),
    ].filter(({ userId }) => managesMembers(caller) || userId === caller.person.id);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      total: rows.map(({ amounts }) => amounts).reduce(add, NOTHING),
      by_day: sumBy(rows, ({ day }) => day).map(([day, amounts]) => ({ day, ...amounts })),
      by_user: sumBy(rows, ({ userId }) => userId).map(([userId, amounts]) => ({ user_id: userId, ...amounts })),
      by_model: sumBy(ofModels(rows), (row) => row.model).map(([model, amounts]) => ({ model, ...amounts })),
      by_conversation: sumBy(ofModels(rows), (row) => row.conversationId).map(([id, amounts]) => ({
        conversation_id: id,
        ...amounts,
      })),
      ...allowance,
    };
  };

const ofModels = (rows: readonly Row[]): Row[] => rows.filter(({ model }) => model !== '');

const sumBy = (rows: readonly Row[], keyOf: (row: Row) => string): [string, Amounts][] => {
  const sums = new Map<string, Amounts>();
  for (const row of rows) sums.set(keyOf(row), add(sums.get(keyOf(row)) ?? NOTHING, row.amounts));
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
};

export type SumUsage = ReturnType<typeof createSumUsage>;
