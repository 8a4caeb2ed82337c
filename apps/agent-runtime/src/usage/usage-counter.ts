/** Counts tokens of this process by day, model and agent. What they cost is the platform's business: every price here is 0. */

export interface Usage {
  readonly agent: string;
  readonly model: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}
interface Counted extends Usage {
  readonly at: number;
}
interface Sum {
  total_tokens: number;
  request_count: number;
  cost_usd: number;
}

/** Beyond it the oldest are forgotten by the filters and still counted in the totals. */
const KEPT = 10_000;

export class UsageCounter {
  readonly #turns: Counted[] = [];
  #tokens = 0;
  #requests = 0;

  add(usage: Usage): void {
    this.#turns.push({ ...usage, at: Date.now() });
    this.#tokens += tokensOf(usage);
    this.#requests += 1;
    if (this.#turns.length > KEPT) this.#turns.shift();
  }

  get totals(): { readonly tokens: number; readonly requests: number } {
    return { tokens: this.#tokens, requests: this.#requests };
  }

  describe(agent?: string, from?: number, to?: number): object {
    const turns = this.#turns.filter(
      (turn) =>
        (agent === undefined || turn.agent === agent) && turn.at >= (from ?? 0) && turn.at <= (to ?? Number.MAX_VALUE),
    );
    const all = agent === undefined && from === undefined && to === undefined;
    return {
      cost: {
        session_cost_usd: 0,
        daily_cost_usd: 0,
        monthly_cost_usd: 0,
        total_tokens: all ? this.#tokens : turns.reduce((sum, turn) => sum + tokensOf(turn), 0),
        request_count: all ? this.#requests : turns.length,
        by_model: sumBy(turns, ({ model }) => model),
        by_agent: sumBy(turns, (turn) => turn.agent),
      },
    };
  }
}

const tokensOf = ({ inputTokens, outputTokens }: Usage): number => (inputTokens ?? 0) + (outputTokens ?? 0);

function sumBy(turns: readonly Counted[], key: (turn: Counted) => string): Record<string, Sum> {
  const sums: Record<string, Sum> = Object.create(null) as Record<string, Sum>;
  for (const turn of turns) {
    const sum = (sums[key(turn) || 'unknown'] ??= { total_tokens: 0, request_count: 0, cost_usd: 0 });
    sum.total_tokens += tokensOf(turn);
    sum.request_count += 1;
  }
  return sums;
}
