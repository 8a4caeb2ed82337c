/** The ledger of model calls: a row before each call, its end after it. A call without a row is not made. */
import type { AgentCaller } from '../callers/agent-caller.ts';
import type { TokenCounts } from '../providers/model-provider.port.ts';

export type CallEnd =
  | { readonly status: 'completed'; readonly usage: TokenCounts }
  /** `failure`: the kind of failure, never an upstream's own text. */
  | { readonly status: 'failed'; readonly failure: string }
  | { readonly status: 'cancelled' };

export interface DailyUsage {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly userId: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Calls, whatever their end. */
  readonly requests: number;
}

export interface UsageLedger {
  /** @returns the row's id. */
  begin(caller: AgentCaller, model: string): Promise<string>;
  /** The first end of a call holds; a second one changes nothing. */
  end(id: string, end: CallEnd): Promise<void>;
  /** Calls begun in [from, to), by day, user and model; oldest day first. */
  listDaily(workspaceId: string, from: Date, to: Date): Promise<DailyUsage[]>;
}
