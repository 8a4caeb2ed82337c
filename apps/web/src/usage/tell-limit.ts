/** Limits and credits as short words; pure. */
import type { UsageReport } from '../api/contract.ts';

const NAMES: Readonly<Record<string, string>> = {
  personDailyTokens: 'Your tokens today',
  workspaceDailyTokens: "The workspace's tokens today",
  personMonthlyCents: 'Your money this month',
  workspaceMonthlyCents: "The workspace's money this month",
};

export interface Meter {
  readonly name: string;
  readonly text: string;
  /** 0 to 1. */
  readonly share: number;
}

export const formatTokens = (tokens: number): string => tokens.toLocaleString('en');
export const formatDollars = (dollars: number): string => `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;

export function tellLimit({ name, limit, used }: UsageReport['limits'][number]): Meter {
  const amount = name.endsWith('Cents') ? (value: number) => formatDollars(value / 1_000_000) : formatTokens;
  return {
    name: NAMES[name] ?? name,
    text: `${amount(used)} of ${amount(limit)}`,
    share: Math.min(1, limit > 0 ? used / limit : 1),
  };
}

export function tellCredits(credits: UsageReport['credits']): Meter {
  const name = `Credits (${credits.plan})`;
  const granted = credits.plan_granted + credits.trial_granted + credits.purchased_granted;
  const used = credits.plan_used + credits.trial_used + credits.purchased_used;
  if (credits.unlimited) return { name, text: `${formatTokens(used)} used, without a limit`, share: 0 };
  return {
    name,
    text: `${formatTokens(Math.max(0, granted - used))} of ${formatTokens(granted)} left`,
    share: Math.min(1, granted > 0 ? used / granted : 1),
  };
}
