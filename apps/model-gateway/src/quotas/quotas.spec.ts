/** Reservations, settlements, sweeps and credits in a real Postgres, and what fifty callers at once may do to a limit. */
import { createOutbox } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { createDatabase, type Database } from '../databases/database.prisma.ts';
import { createCallLedger } from './call-ledger.prisma.ts';
import type { CallEnd, CallLedger } from './call-ledger.ts';
import { createChargeContainer } from './charge-container.ts';
import { readPlanCredits, type PlanCredits } from './credits.ts';
import { mostInputTokens, usualInputTokens } from './estimate-tokens.ts';
import { type Limits, readLimits, windowsOf } from './limits.ts';
import { costMicros, readPrices } from './prices.ts';
import { createReserveCall, type CallWish, type Reservation } from './reserve-call.ts';

let postgres: TestPostgres;
let database: Database;
let clock = new Date('2026-11-30T12:00:00Z');
let ledger: CallLedger;
let ids = 0;
beforeAll(async () => {
  postgres = await startTestPostgres({ app: 'model-gateway', schema: 'models' });
  database = createDatabase(postgres.url('models'));
  ledger = createCallLedger(
    database,
    createOutbox({ schema: 'models', producer: 'models', traceparent: () => '' }),
    () => clock,
    () => `mdl_${(ids += 1)}`,
  );
});
beforeEach(() => void (clock = new Date('2026-11-30T12:00:00Z')));
afterAll(async () => {
  await database?.$disconnect();
  await postgres?.stop();
});

const HOLD_MS = 60_000;
const PRICES = readPrices('{"x/priced":{"input":1,"output":10}}');
const reserve = (wish: CallWish): Promise<Reservation> =>
  createReserveCall({ ledger, priceOf: PRICES, now: () => clock, answerTokens: 1_000, holdMs: HOLD_MS })(wish);
let workspaces = 0;
const newWorkspace = (): string => `ws_${(workspaces += 1)}`;
const wish = (
  workspaceId: string,
  over: Partial<CallWish> & { plan?: PlanCredits; trial?: number; user?: string } = {},
): CallWish => ({
  owner: {
    ...{ workspaceId, userId: over.user ?? 'usr_a', conversationId: `cnv_${workspaceId}` },
    ...{ rootConversationId: `cnv_${workspaceId}`, podId: '' },
  },
  models: [{ id: 'x/priced', demo: false, outputTokens: null }],
  question: { messages: [{ role: 'user', content: 'hi' }], tools: [] },
  limits: {},
  terms: { plan: 'team', planCredits: over.plan ?? 'unlimited', trialCredits: over.trial ?? 0 },
  ...over,
});
const used = (input: number, output: number, over: Partial<CallEnd> = {}): CallEnd => ({
  ...{ status: 'completed', model: 'x/priced', usage: { inputTokens: input, outputTokens: output } },
  ...{
    chargedTokens: input + output,
    micros: costMicros({ input: 1, output: 10 }, input, output),
    credits: input + output,
  },
  ...over,
});
const refusedBy = async (asked: Promise<unknown>): Promise<Fault> => {
  const failure = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Fault);
  return failure as Fault;
};
const entriesOf = async (workspaceId: string) =>
  (await database.creditEntry.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } })).map(
    ({ operation, bucket, amount }) => `${operation} ${bucket} ${amount}`,
  );

describe('a limit of tokens', () => {
  it('is never passed by fifty calls at once, and what was held comes back [quota.no-overshoot]', async () => {
    const workspaceId = newWorkspace();
    const limits: Limits = { workspaceDailyTokens: 20_000 };
    const question = { messages: [{ role: 'user' as const, content: 'hi' }], tools: [], maxOutputTokens: 900 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => reserve(wish(workspaceId, { limits, question, user: `usr_${n}` }))),
    );
    const granted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const held = granted.reduce((sum, { call }) => sum + call.tokens, 0);
    expect(held).toBeLessThanOrEqual(20_000);
    expect(granted.length).toBeGreaterThan(15);
    expect(granted.length).toBeLessThan(50);
    const [window] = windowsOf(granted[0]!.call, limits, clock).filter(({ bound }) => bound !== undefined);
    expect((await ledger.readWindows([window!.key])).get(window!.key)).toEqual({ used: 0, reserved: held });
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'resource_exhausted' });
    // Everybody used what they held, to the last token: still not above.
    await Promise.all(granted.map(({ call }) => ledger.settle(call, used(call.tokens - 900, 900))));
    const state = (await ledger.readWindows([window!.key])).get(window!.key);
    expect(state).toEqual({ used: held, reserved: 0 });
    expect(state!.used).toBeLessThanOrEqual(20_000);
  });

  it('gives an answer the room that is left, and refuses what is too little with the reset [quota.reset-told]', async () => {
    const workspaceId = newWorkspace();
    const limits: Limits = { personDailyTokens: 1_000 };
    const first = await reserve(wish(workspaceId, { limits }));
    expect(first.maxOutputTokens).toBeLessThan(1_000);
    await ledger.settle(first.call, used(300, 400));
    const second = await reserve(wish(workspaceId, { limits }));
    expect(second.maxOutputTokens).toBeLessThanOrEqual(300);
    const meanwhile = await refusedBy(reserve(wish(workspaceId, { limits })));
    expect(meanwhile.detail).toMatch(/700 of 1,000 tokens are used, and calls that run now hold \d+ more/);
    expect(meanwhile.meta).toMatchObject({ retry_after: '5' });
    await ledger.settle(second.call, used(100, 200));
    const fault = await refusedBy(reserve(wish(workspaceId, { limits })));
    expect(fault.detail).toBe(
      'Your limit for a day (limits.personDailyTokens) has no room for this call: 1,000 of 1,000 tokens are used. It begins anew at 2026-12-01 00:00 UTC.',
    );
    expect(fault.meta).toEqual({
      limit: 'personDailyTokens',
      retry_after: '43200',
      resets_at: '2026-12-01T00:00:00.000Z',
    });
    // Another person of the workspace has a limit of their own; the next day is a new one.
    await reserve(wish(workspaceId, { limits, user: 'usr_b' }));
    clock = new Date('2026-12-01T00:00:01Z');
    await reserve(wish(workspaceId, { limits }));
  });

  it.each(['conversationTokens', 'treeTokens', 'workspaceDailyTokens'] as const)('bounds by %s', async (limit) => {
    const workspaceId = newWorkspace();
    const limits: Limits = { [limit]: 1_500 };
    const { call } = await reserve(wish(workspaceId, { limits }));
    await ledger.settle(call, used(1_000, 490));
    expect((await refusedBy(reserve(wish(workspaceId, { limits, user: 'usr_other' })))).meta['limit']).toBe(limit);
  });

  it('holds nothing of a call that another of its limits refuses', async () => {
    const workspaceId = newWorkspace();
    const limits: Limits = { personDailyTokens: 100_000, workspaceDailyTokens: 100 };
    await refusedBy(reserve(wish(workspaceId, { limits })));
    expect(
      await database.quotaWindow.count({ where: { key: { contains: `:${workspaceId}:` }, reserved: { gt: 0 } } }),
    ).toBe(0);
    expect(await database.modelCall.count({ where: { workspaceId } })).toBe(0);
  });

  it('counts a call once, however often it is settled', async () => {
    const workspaceId = newWorkspace();
    const limits: Limits = { workspaceDailyTokens: 10_000 };
    const { call } = await reserve(wish(workspaceId, { limits }));
    await Promise.all([1, 2, 3].map(() => ledger.settle(call, used(10, 20))));
    const [window] = windowsOf(call, limits, clock).filter(({ bound }) => bound !== undefined);
    expect((await ledger.readWindows([window!.key])).get(window!.key)).toEqual({ used: 30, reserved: 0 });
  });

  it('is freed of a call whose process ended, which counts as its question [quota.swept]', async () => {
    const workspaceId = newWorkspace();
    const limits: Limits = { workspaceDailyTokens: 2_000 };
    const { call } = await reserve(wish(workspaceId, { limits, plan: 5_000 }));
    expect(await ledger.sweep(new Date(0))).toBe(0);
    clock = new Date(clock.getTime() + HOLD_MS + 1);
    expect(await ledger.sweep(clock)).toBeGreaterThanOrEqual(1);
    expect(await database.modelCall.findUnique({ where: { id: call.id } })).toMatchObject({
      ...{ status: 'expired', inputTokens: null, chargedTokens: call.estimatedInput },
    });
    const [window] = windowsOf(call, limits, clock).filter(({ bound }) => bound !== undefined);
    expect((await ledger.readWindows([window!.key])).get(window!.key)).toEqual({
      used: call.estimatedInput,
      reserved: 0,
    });
    expect(await database.creditAccount.findUnique({ where: { workspaceId } })).toMatchObject({ reserved: 0n });
  });
});

describe('a limit of money', () => {
  it('is counted by the price table, and a model without a price is refused by name', async () => {
    const workspaceId = newWorkspace();
    const limits: Limits = { workspaceMonthlyCents: 1 };
    const { call, maxOutputTokens } = await reserve(wish(workspaceId, { limits }));
    // A cent is 10,000 millionths; ten for each token of the answer.
    expect(maxOutputTokens).toBeLessThan(1_000);
    await ledger.settle(call, used(0, 950));
    expect((await refusedBy(reserve(wish(workspaceId, { limits })))).detail).toMatch(
      /\$0\.01 of \$0\.01 are used|\$0\.00 of/,
    );
    const models: CallWish['models'] = [{ id: 'x/unpriced', demo: false, outputTokens: null }];
    const fault = await refusedBy(reserve(wish(newWorkspace(), { limits, models })));
    expect(fault.detail).toBe(
      'The limit limits.workspaceMonthlyCents counts money and the price table has no row for x/unpriced. Add one to BRAVO_MODEL_PRICES, or choose a model that has one.',
    );
    // Where nothing counts money a model needs no price, and what is no language model costs nothing.
    await reserve(wish(newWorkspace(), { models }));
    await reserve(wish(newWorkspace(), { limits, models: [{ id: 'demo', demo: true, outputTokens: null }] }));
  });

  it('reads its table strictly and names the variable', () => {
    expect(() => readPrices('{')).toThrow(/BRAVO_MODEL_PRICES/);
    expect(() => readPrices('{"m":{"input":-1,"output":1}}')).toThrow(/BRAVO_MODEL_PRICES: m\.input/);
    expect(() => readPrices('{"m":{"input":1}}')).toThrow(/m\.output/);
  });
});

describe('credits', () => {
  it('are taken from the plan, then the trial, then what was bought, each in the ledger [quota.credits]', async () => {
    const workspaceId = newWorkspace();
    const terms = { workspaceId, plan: 'team', period: '2026-11', planCredits: 1_000, trialCredits: 500 } as const;
    expect(await ledger.grant(terms, 'order-1', 2_000)).toBe(true);
    expect(await ledger.grant(terms, 'order-1', 2_000)).toBe(false);
    const { call } = await reserve(wish(workspaceId, { plan: 1_000, trial: 500 }));
    await ledger.settle(call, used(1_000, 800));
    await ledger.settle(call, used(1_000, 800));
    expect(await entriesOf(workspaceId)).toEqual([
      'grant purchased 2000',
      'model_call plan -1000',
      'model_call trial -500',
      'model_call purchased -300',
    ]);
    const account = await ledger.openAccount(terms);
    expect(account).toMatchObject({ planUsed: 1_000, trialUsed: 500, purchasedUsed: 300, reserved: 0 });
    // A new month renews the plan's part and nothing else.
    expect(await ledger.openAccount({ ...terms, period: '2026-12' })).toMatchObject({ planUsed: 0, trialUsed: 500 });
  });

  it('are not there for a plan without any, and refuse with the month they begin anew', async () => {
    const fault = await refusedBy(reserve(wish(newWorkspace(), { plan: 0 })));
    expect(fault.detail).toMatch(/credits have no room.*plan team has 0 left this month.*begins anew at 2026-12-01/);
    expect(readPlanCredits('{"team":5}')('unheard')).toBe(0);
    expect(readPlanCredits('{"e":"unlimited"}')('e')).toBe('unlimited');
    expect(() => readPlanCredits('{"team":-1}')).toThrow(/BRAVO_PLAN_CREDITS/);
  });

  it('are never overdrawn by fifty calls at once', async () => {
    const workspaceId = newWorkspace();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => reserve(wish(workspaceId, { plan: 10_000 }))),
    );
    const granted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.call] : []));
    expect(granted.reduce((sum, call) => sum + call.credits, 0)).toBeLessThanOrEqual(10_000);
    await Promise.all(granted.map((call) => ledger.settle(call, used(call.tokens, 0))));
    const account = await database.creditAccount.findUniqueOrThrow({ where: { workspaceId } });
    expect(account.reserved).toBe(0n);
    expect(account.planUsed).toBeLessThanOrEqual(10_000n);
    const entries = await database.creditEntry.aggregate({ where: { workspaceId }, _sum: { amount: true } });
    expect(entries._sum.amount).toBe(-account.planUsed);
  });

  it("are taken for a pod's time once, also what is not there", async () => {
    const workspaceId = newWorkspace();
    const charge = createChargeContainer({
      ledger,
      planOf: () => Promise.resolve('team'),
      planCredits: () => 100,
      trialCredits: 0,
      now: () => clock,
    });
    await charge(workspaceId, 'pod_1', 95.2);
    await charge(workspaceId, 'pod_1', 95.2);
    expect(await entriesOf(workspaceId)).toEqual(['container_time plan -960']);
    await refusedBy(reserve(wish(workspaceId, { plan: 100 })));
  });

  it('are not counted down on an unlimited plan, and the ledger keeps what was taken', async () => {
    const workspaceId = newWorkspace();
    const { call, maxOutputTokens } = await reserve(wish(workspaceId));
    expect(maxOutputTokens).toBeUndefined();
    await ledger.settle(call, used(5, 5));
    expect(await entriesOf(workspaceId)).toEqual(['model_call plan -10']);
  });
});

describe('what is reserved', () => {
  it('is above what common text comes to', () => {
    const question = {
      messages: [{ role: 'user' as const, content: 'The quick brown fox jumps.'.repeat(40) }],
      tools: [],
    };
    expect(mostInputTokens(question)).toBeGreaterThan(usualInputTokens(question) * 1.9);
  });

  it('reads limits of settings strictly: what is no amount is no limit', () => {
    expect(readLimits({ personDailyTokens: 5, treeTokens: 0, conversationTokens: '9', other: 1 })).toEqual({
      personDailyTokens: 5,
    });
    expect(readLimits(undefined)).toEqual({});
  });
});
