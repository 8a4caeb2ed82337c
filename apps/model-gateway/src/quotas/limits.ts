/** The spans over which usage is counted, and which of them are bounded. A limit that nobody set bounds nothing; one that is set is never zero. */

/** The names as settings and people write them. */
export const LIMIT_NAMES = [
  'personDailyTokens',
  'workspaceDailyTokens',
  'conversationTokens',
  'treeTokens',
  'personMonthlyCents',
  'workspaceMonthlyCents',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type Limits = Readonly<Partial<Record<LimitName, number>>>;

export interface UsageOwner {
  readonly workspaceId: string;
  readonly userId: string;
  readonly conversationId: string;
  /** The conversation at the root of the delegates' tree; its own where it is nobody's delegate. */
  readonly rootConversationId: string;
}

export interface QuotaWindow {
  readonly limit: LimitName;
  readonly key: string;
  /** What is counted. Money is in millionths of a dollar. */
  readonly unit: 'tokens' | 'micros';
  /** In that unit; undefined where nobody set a limit. */
  readonly bound: number | undefined;
  /** Undefined for what lasts as long as its conversation. */
  readonly resetsAt: Date | undefined;
}

const MICROS_PER_CENT = 10_000;

export function windowsOf(owner: UsageOwner, limits: Limits, now: Date): QuotaWindow[] {
  const day = now.toISOString().slice(0, 10);
  const month = day.slice(0, 7);
  const tomorrow = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
  const nextMonth = monthAfter(now);
  const { workspaceId, userId, conversationId, rootConversationId } = owner;
  const spans: Readonly<Record<LimitName, readonly [string, Date | undefined]>> = {
    personDailyTokens: [`${workspaceId}:${userId}:${day}`, tomorrow],
    workspaceDailyTokens: [`${workspaceId}:${day}`, tomorrow],
    conversationTokens: [conversationId, undefined],
    treeTokens: [rootConversationId, undefined],
    personMonthlyCents: [`${workspaceId}:${userId}:${month}`, nextMonth],
    workspaceMonthlyCents: [`${workspaceId}:${month}`, nextMonth],
  };
  return LIMIT_NAMES.map((limit) => {
    const [span, resetsAt] = spans[limit];
    const money = limit.endsWith('Cents');
    const set = limits[limit];
    const bound = set === undefined ? undefined : set * (money ? MICROS_PER_CENT : 1);
    return { limit, key: `${limit}:${span}`, unit: money ? 'micros' : 'tokens', bound, resetsAt };
  });
}

export const monthAfter = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));

/** Tokens a prompt may have, as somebody set them by hand; undefined: the window of the model decides. */
export const readContextTokens = (block: unknown): number | undefined => {
  const value = (block as { contextTokens?: unknown } | null | undefined)?.contextTokens;
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
};

/** The limits of settings in force; a value of another kind is none. */
export function readLimits(block: unknown): Limits {
  const values = (typeof block === 'object' && block !== null ? block : {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value = values[name];
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? [[name, value]] : [];
    }),
  );
}
