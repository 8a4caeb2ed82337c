/** The ledger of model calls: a row with what it reserves before each call, its end with what it used after it. A call without a row is not made. */
import type { TokenCounts } from '../providers/model-provider.port.ts';
import type { AccountTerms, CreditAccount } from './credits.ts';
import type { QuotaWindow, UsageOwner } from './limits.ts';

export interface NewCall extends UsageOwner {
  readonly podId: string;
  readonly model: string;
  /** Held in every window that counts tokens, in millionths of a dollar in those that count money, and in credits. */
  readonly tokens: number;
  readonly micros: number;
  readonly credits: number;
  /** What the call counts as if its process ends before it does. */
  readonly estimatedInput: number;
  readonly expiresAt: Date;
  /** All windows; only those with a bound can refuse. */
  readonly windows: readonly QuotaWindow[];
}

/** What a call holds until it ends. */
export interface HeldCall extends NewCall {
  readonly id: string;
}

export type CallEnd = {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** The kind of failure, never an upstream's own text. */
  readonly failure?: string;
  /** The model that answered. */
  readonly model: string;
  /** As reported. */
  readonly usage: TokenCounts;
  /** What counts against the limits: as reported, else as estimated. */
  readonly chargedTokens: number;
  /** Null where there is no price. */
  readonly micros: number | null;
  readonly credits: number;
};

export interface WindowState {
  readonly used: number;
  readonly reserved: number;
}

export interface UsageRow {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly userId: string;
  readonly model: string;
  readonly conversationId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
  readonly credits: number;
  /** Calls, whatever their end. */
  readonly requests: number;
  readonly failed: number;
}

export interface CallLedger {
  /** All or nothing. @returns undefined when a window or the credits have no room for it. */
  reserve(call: NewCall): Promise<HeldCall | undefined>;
  /** The first end of a call holds; a second one changes nothing. */
  settle(call: HeldCall, end: CallEnd): Promise<void>;
  /** Ends calls whose process ended before they did. @returns how many. */
  sweep(now: Date): Promise<number>;
  /** Nothing was ever used in a window that is missing. */
  readWindows(keys: readonly string[]): Promise<ReadonlyMap<string, WindowState>>;
  /** Makes the account, or renews it for this month and plan. */
  openAccount(terms: AccountTerms): Promise<CreditAccount>;
  /** Takes credits for a pod's time, once per reference; what is not there is taken all the same. */
  chargeContainer(terms: AccountTerms, reference: string, credits: number): Promise<boolean>;
  /** Adds purchased credits, once per reference. */
  grant(terms: AccountTerms, reference: string, credits: number): Promise<boolean>;
  /** Tokens of the newest prompt a pod of the conversation sent, as reported, else as estimated. `undefined`: there was none. */
  lastPrompt(workspaceId: string, conversationId: string): Promise<{ tokens: number; measured: boolean } | undefined>;
  /** Calls begun in [from, to); oldest day first. */
  list(workspaceId: string, from: Date, to: Date): Promise<UsageRow[]>;
}
