/**
 * The ledger in Postgres. What many calls of a workspace ask for at once goes to the database together, and is decided
 * there: what does not fit together is asked for one by one, so that a batch refuses nobody who alone would have had room.
 */
import type { Outbox } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import { createBatches } from './batches.ts';
import type { CallLedger, HeldCall } from './call-ledger.ts';
import { isNoRoom, reserveStatement, type SettledCall } from './call-statements.prisma.ts';
import { chargeAccount, openAccount } from './credit-accounts.prisma.ts';
import type { AccountTerms, CreditAccount } from './credits.ts';
import { createSettleCalls, type SettleCalls } from './settle-calls.prisma.ts';

export const createCallLedger = (
  database: Database,
  outbox: Outbox,
  now: () => Date,
  newId: () => string,
): CallLedger => {
  const settleCalls = createSettleCalls(database, outbox);
  const reserveAll = async (calls: readonly [HeldCall, ...HeldCall[]]): Promise<boolean> => {
    try {
      await retried(() => database.$queryRaw(reserveStatement(calls, now())));
      return true;
    } catch (error) {
      if (isNoRoom(error)) return false;
      throw error;
    }
  };
  const reserve = createBatches<HeldCall, boolean>(
    ({ workspaceId }) => workspaceId,
    async (calls) => {
      if (await reserveAll(calls)) return calls.map(() => true);
      if (calls.length === 1) return [false];
      const granted: boolean[] = [];
      for (const call of calls) granted.push(await reserveAll([call]));
      return granted;
    },
  );
  const settle = createBatches<SettledCall, undefined>(
    ({ call }) => call.workspaceId,
    async (settled) => {
      // Settled twice in one breath, the first end counts, as it would one after the other.
      const [first, ...rest] = settled.filter(
        ({ call }, at) => settled.findIndex((one) => one.call.id === call.id) === at,
      );
      if (first) await retried(() => settleCalls([first, ...rest], now()));
      return settled.map(() => undefined);
    },
  );
  const windows = createBatches<readonly string[], Awaited<ReturnType<CallLedger['readWindows']>>>(
    () => '',
    async (asked) => {
      const keys = [...new Set(asked.flat())];
      const rows = await database.quotaWindow.findMany({ where: { key: { in: keys } } });
      const found = new Map(rows.map((row) => [row.key, { used: Number(row.used), reserved: Number(row.reserved) }]));
      return asked.map(() => found);
    },
  );
  const accounts = createBatches<AccountTerms, CreditAccount>(
    (terms) => JSON.stringify(terms),
    async (asked) => {
      const account = await openAccount(database, asked[0]);
      return asked.map(() => account);
    },
  );
  return ledgerOf(database, newId, settleCalls, { reserve, settle, windows, accounts });
};

interface Batches {
  readonly reserve: (call: HeldCall) => Promise<boolean>;
  readonly settle: (settled: SettledCall) => Promise<undefined>;
  readonly windows: CallLedger['readWindows'];
  readonly accounts: CallLedger['openAccount'];
}

const ledgerOf = (database: Database, newId: () => string, settleCalls: SettleCalls, batches: Batches): CallLedger => ({
  reserve: async (call) => {
    const held: HeldCall = { ...call, id: newId() };
    return (await batches.reserve(held)) ? held : undefined;
  },
  settle: (call, end) => batches.settle({ call, end }),
  sweep: async (at) => {
    const lost = await database.modelCall.findMany({
      where: { status: 'started', expiresAt: { lt: at } },
      take: 200,
    });
    for (const row of lost) {
      const held = row.windows.map((key) => ({ key, unit: key.includes('Cents:') ? 'micros' : 'tokens' }) as const);
      const call = {
        ...{ id: row.id, workspaceId: row.workspaceId, userId: row.userId, conversationId: row.conversationId },
        tokens: row.reservedTokens,
        ...{ micros: Number(row.reservedMicros), credits: row.reservedCredits },
      };
      const end = { status: 'expired', failure: 'expired', model: row.model } as const;
      const counts = { inputTokens: null, outputTokens: null };
      const charged = {
        chargedTokens: row.estimatedInput,
        micros: null,
        credits: row.reservedCredits > 0 ? row.estimatedInput : 0,
      };
      const lostCall = { ...call, windows: held.map((window) => ({ ...window, bound: 0 })) };
      const settled: SettledCall = { call: lostCall, end: { ...end, usage: counts, ...charged } };
      await settleCalls([settled], at);
    }
    await database.quotaWindow.deleteMany({
      where: { reserved: 0n, updatedAt: { lt: new Date(at.getTime() - KEEP_WINDOWS_MS) } },
    });
    return lost.length;
  },
  readWindows: batches.windows,
  openAccount: batches.accounts,
  chargeContainer: (terms, reference, credits) => chargeAccount(database, terms, 'container_time', reference, credits),
  grant: (terms, reference, credits) => chargeAccount(database, terms, 'grant', reference, -credits),
  lastPrompt: async (workspaceId, conversationId) => {
    const row = await database.modelCall.findFirst({
      // A pod's: what is asked on the side has no pod.
      where: { workspaceId, conversationId, podId: { not: '' } },
      orderBy: { startedAt: 'desc' },
      select: { inputTokens: true, estimatedInput: true },
    });
    return row ? { tokens: row.inputTokens ?? row.estimatedInput, measured: row.inputTokens !== null } : undefined;
  },
  list: async (workspaceId, from, to) => {
    const rows = await database.modelCall.groupBy({
      by: ['day', 'userId', 'model', 'conversationId', 'status'],
      where: { workspaceId, startedAt: { gte: from, lt: to } },
      _sum: { inputTokens: true, outputTokens: true, costMicros: true, credits: true },
      _count: { _all: true },
      orderBy: [{ day: 'asc' }, { userId: 'asc' }, { model: 'asc' }],
    });
    return rows.map(({ day, userId, model, conversationId, status, _sum, _count }) => ({
      day: day.toISOString().slice(0, 10),
      userId,
      model,
      conversationId,
      inputTokens: _sum.inputTokens ?? 0,
      outputTokens: _sum.outputTokens ?? 0,
      costMicros: Number(_sum.costMicros ?? 0n),
      credits: _sum.credits ?? 0,
      requests: _count._all,
      failed: status === 'failed' || status === 'expired' ? _count._all : 0,
    }));
  },
});

/** A conversation's window outlives its last call by this; a day's and a month's are over by then. */
const KEEP_WINDOWS_MS = 400 * 86_400_000;

/** Two that met in the wrong order, or a window that was made twice at once: the second time there is nobody to meet. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 4 || !/40P01|40001|deadlock/.test(String((error as Error | null)?.message))) throw error;
    }
  }
}
