/**
 * Decides before each call whether its limits and credits have room for it, and holds that room until it ends. What would
 * pass a limit is refused with the limit, what is left of it and when it begins anew.
 */
import { Fault } from '@bravo/faults';
import { createCounter } from '@bravo/chassis/metrics';
import type { ModelRequest } from '../providers/model-provider.port.ts';
import type { CallLedger, HeldCall, NewCall } from './call-ledger.ts';
import { availableCredits, type AccountTerms, type CreditAccount } from './credits.ts';
import { mostInputTokens, thinkingTokens, usualInputTokens } from './estimate-tokens.ts';
import { type Limits, monthAfter, type QuotaWindow, type UsageOwner, windowsOf } from './limits.ts';
import { costMicros, priceFor, type Price, type PriceOf } from './prices.ts';

export interface PricedModel {
  readonly id: string;
  readonly demo: boolean;
  /** Tokens of one answer; null where nobody said. */
  readonly outputTokens: number | null;
}

export interface CallWish {
  readonly owner: UsageOwner & { readonly podId: string };
  /** Whoever may come to answer; the first is the chosen one. */
  readonly models: readonly [PricedModel, ...PricedModel[]];
  readonly question: Pick<ModelRequest, 'messages' | 'tools' | 'effort' | 'maxOutputTokens'>;
  readonly limits: Limits;
  readonly terms: Omit<AccountTerms, 'period' | 'workspaceId'>;
}

export interface Reservation {
  readonly call: HeldCall;
  /** What the answer may come to at most; undefined where nothing bounds it. */
  readonly maxOutputTokens: number | undefined;
}

export interface ReserveParts {
  readonly ledger: CallLedger;
  readonly priceOf: PriceOf;
  readonly now: () => Date;
  /** Of an answer nobody gave a length. */
  readonly answerTokens: number;
  /** After which a call that never ended is given up. */
  readonly holdMs: number;
}

export type ReserveCall = (wish: CallWish) => Promise<Reservation>;

const refusals = createCounter('bravo_model_refusals_total', 'Model calls a limit or the credits had no room for.', [
  'by',
]);

/** An answer shorter than this is not worth its question. */
const LEAST_ANSWER = 256;
const ATTEMPTS = 3;

/** @throws Fault resource_exhausted with `resets_at` and `retry_after` as meta; model_failed where a limit of money has no price to count by. */
export const createReserveCall = ({ ledger, priceOf, now, answerTokens, holdMs }: ReserveParts): ReserveCall => {
  return async ({ owner, models, question, limits, terms }) => {
    const at = now();
    const windows = windowsOf(owner, limits, at);
    const bounded = windows.filter(({ bound }) => bound !== undefined);
    const prices = pricesOf(models, bounded, priceOf);
    const paid = models.some(({ demo }) => !demo);
    const account = { ...terms, workspaceId: owner.workspaceId, period: at.toISOString().slice(0, 7) };
    const input = mostInputTokens(question) + thinkingTokens(question);
    const wished = question.maxOutputTokens ?? Math.min(models[0].outputTokens ?? answerTokens, answerTokens);
    const common = {
      ...owner,
      model: models[0].id,
      windows,
      estimatedInput: usualInputTokens(question),
      expiresAt: new Date(at.getTime() + holdMs),
    };
    const free = bounded.length === 0 && !paid;
    if (free)
      return { call: await hold(ledger, { ...common, tokens: 0, micros: 0, credits: 0 }), maxOutputTokens: undefined };

    for (let attempt = 1; ; attempt += 1) {
      const state = await ledger.readWindows(bounded.map(({ key }) => key));
      const credit = paid ? await ledger.openAccount(account) : undefined;
      const rooms = bounded.map((window) => roomIn(window, state.get(window.key), prices, input));
      if (credit) rooms.push({ ...roomOfCredits(credit, at), output: availableCredits(credit) - input });
      const tightest = rooms.reduce((least, room) => (room.output < least.output ? room : least));
      const output = Math.min(wished, tightest.output);
      if (output < Math.min(LEAST_ANSWER, wished) || attempt > ATTEMPTS) throw refusal(tightest, at);
      const tokens = input + output;
      const micros = Math.max(0, ...prices.map((price) => costMicros(price, input, output)));
      const call = await ledger.reserve({ ...common, tokens, micros, credits: paid ? tokens : 0 });
      // An unlimited plan bounds nothing, and then neither is the answer.
      if (call) return { call, maxOutputTokens: bounded.length === 0 && credit?.unlimited ? undefined : output };
    }
  };
};

async function hold(ledger: CallLedger, call: NewCall): Promise<HeldCall> {
  const held = await ledger.reserve(call);
  if (!held) throw new Error('A call that reserves nothing was refused.');
  return held;
}

interface Room {
  /** Tokens an answer may still have. */
  readonly output: number;
  readonly by: string;
  readonly text: string;
  readonly resetsAt: Date | undefined;
  /** Held by calls that run now. */
  readonly held: number;
}

function roomIn(
  window: QuotaWindow,
  state: { readonly used: number; readonly reserved: number } | undefined,
  prices: readonly Price[],
  input: number,
): Room {
  const { used, reserved } = state ?? { used: 0, reserved: 0 };
  const bound = window.bound ?? 0;
  const left = bound - used - reserved;
  const output = window.unit === 'tokens' ? left - input : outputForMoney(left, prices, input);
  return { output, by: window.limit, resetsAt: window.resetsAt, held: reserved, text: tellLimit(window, used, bound) };
}

/** The dearest model decides. */
const outputForMoney = (micros: number, prices: readonly Price[], input: number): number =>
  Math.min(
    ...prices.map((price) => {
      const left = micros - costMicros(price, input, 0);
      if (left < 0) return -1;
      return price.output === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(left / price.output);
    }),
  );

const WHOSE: Readonly<Record<QuotaWindow['limit'], string>> = {
  personDailyTokens: 'Your limit for a day',
  workspaceDailyTokens: "The workspace's limit for a day",
  conversationTokens: 'The limit of this conversation',
  treeTokens: 'The limit of this conversation and its delegates',
  personMonthlyCents: 'Your limit for a month',
  workspaceMonthlyCents: "The workspace's limit for a month",
};

function tellLimit({ limit, unit }: QuotaWindow, used: number, bound: number): string {
  const amount = (value: number): string =>
    unit === 'tokens' ? value.toLocaleString('en') : `$${(value / 1_000_000).toFixed(2)}`;
  const of = unit === 'tokens' ? `${amount(used)} of ${amount(bound)} tokens` : `${amount(used)} of ${amount(bound)}`;
  return `${WHOSE[limit]} (limits.${limit}) has no room for this call: ${of} are used`;
}

const roomOfCredits = (account: CreditAccount, at: Date): Omit<Room, 'output'> => ({
  by: 'credits',
  held: account.reserved,
  resetsAt: monthAfter(at),
  text: `The workspace's credits have no room for this call: plan ${account.plan} has ${Math.max(0, account.planGranted - account.planUsed).toLocaleString('en')} left this month, trial and purchased together ${(account.trialGranted - account.trialUsed + account.purchasedGranted - account.purchasedUsed).toLocaleString('en')}`,
});

function refusal({ by, text, resetsAt, held }: Room, at: Date): Fault {
  refusals.count({ by });
  const heldText = held > 0 ? `, and calls that run now hold ${held.toLocaleString('en')} more` : '';
  const when = resetsAt ? ` It begins anew at ${resetsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.` : '';
  const seconds = held > 0 || !resetsAt ? 5 : Math.max(1, Math.ceil((resetsAt.getTime() - at.getTime()) / 1_000));
  return new Fault('resource_exhausted', `${text}${heldText}.${when}`, {
    meta: { limit: by, retry_after: String(seconds), ...(resetsAt && { resets_at: resetsAt.toISOString() }) },
  });
}

function pricesOf(models: CallWish['models'], bounded: readonly QuotaWindow[], priceOf: PriceOf): Price[] {
  const money = bounded.find(({ unit }) => unit === 'micros');
  return models.flatMap((model) => {
    const price = priceFor(priceOf, model);
    if (price) return [price];
    if (!money) return [];
    throw new Fault(
      'model_failed',
      `The limit limits.${money.limit} counts money and the price table has no row for ${model.id}. Add one to BRAVO_MODEL_PRICES, or choose a model that has one.`,
    );
  });
}
