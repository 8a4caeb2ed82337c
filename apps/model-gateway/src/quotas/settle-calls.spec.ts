/** Who is told, and when, that most of a limit is used; in a real Postgres. */
import { createOutbox } from '@bravo/events';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { createDatabase, type Database } from '../databases/database.prisma.ts';
import { createCallLedger } from './call-ledger.prisma.ts';
import type { CallLedger } from './call-ledger.ts';
import { type Limits, windowsOf } from './limits.ts';

const outbox = createOutbox({ schema: 'models', producer: 'models', traceparent: () => '' });
let postgres: TestPostgres;
let database: Database;
let clock = new Date('2026-11-30T12:00:00Z');
let ids = 0;
const ledgerWith = (events: typeof outbox): CallLedger =>
  createCallLedger(
    database,
    events,
    () => clock,
    () => `mdl_${(ids += 1)}`,
  );
beforeAll(async () => {
  postgres = await startTestPostgres({ app: 'model-gateway', schema: 'models' });
  database = createDatabase(postgres.url('models'));
});
beforeEach(() => void (clock = new Date('2026-11-30T12:00:00Z')));
afterAll(async () => {
  await database?.$disconnect();
  await postgres?.stop();
});

let workspaces = 0;
const newOwner = () => {
  const workspaceId = `ws_${(workspaces += 1)}`;
  const conversationId = `cnv_${workspaces}`;
  return { workspaceId, userId: 'usr_a', conversationId, rootConversationId: conversationId };
};
type Owner = ReturnType<typeof newOwner>;

const hold = async (ledger: CallLedger, owner: Owner, limits: Limits, tokens: number) => {
  const call = await ledger.reserve({
    ...owner,
    ...{ podId: '', model: 'x/y', tokens, micros: 0, credits: 0, estimatedInput: tokens },
    ...{ expiresAt: new Date(clock.getTime() + 60_000), windows: windowsOf(owner, limits, clock) },
  });
  if (!call) throw new Error('no room');
  return call;
};
const end = (tokens: number) => ({
  ...{ status: 'completed' as const, model: 'x/y', usage: { inputTokens: tokens, outputTokens: 0 } },
  ...{ chargedTokens: tokens, micros: null, credits: 0 },
});
const use = async (ledger: CallLedger, owner: Owner, limits: Limits, tokens: number): Promise<void> =>
  ledger.settle(await hold(ledger, owner, limits, tokens), end(tokens));
const told = async ({ workspaceId }: Owner) => {
  const rows = await database.outbox.findMany({
    where: { subject: `agent.budget.near.${workspaceId}` },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ body }) => JSON.parse(body) as { data: object; onbehalfof: string; conversation?: string });
};

describe('that a limit is nearly used', () => {
  it('is told once for each span of time, by what was used and not by what was held', async () => {
    const ledger = ledgerWith(outbox);
    const owner = newOwner();
    const limits: Limits = { personDailyTokens: 1_000, conversationTokens: 100_000 };
    const held = await hold(ledger, owner, limits, 900);
    await ledger.settle(held, end(790));
    expect(await told(owner)).toEqual([]);
    await use(ledger, owner, limits, 30);
    await Promise.all([40, 50, 60].map((tokens) => use(ledger, owner, limits, tokens)));
    expect(await told(owner)).toMatchObject([
      { data: { limit: 'personDailyTokens', percent: 82 }, onbehalfof: 'usr_a' },
    ]);
    expect((await told(owner))[0]).not.toHaveProperty('conversation');
    clock = new Date('2026-12-01T12:00:00Z');
    await Promise.all([300, 300, 300].map((tokens) => use(ledger, owner, limits, tokens)));
    expect(await told(owner)).toHaveLength(2);
  });

  it('is told of several limits at once, of a lost call too, and of none that nobody set', async () => {
    const ledger = ledgerWith(outbox);
    const owner = newOwner();
    await hold(ledger, owner, { conversationTokens: 1_000, workspaceDailyTokens: 1_100 }, 950);
    clock = new Date(clock.getTime() + 120_000);
    await ledger.sweep(clock);
    expect((await told(owner)).map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { limit: 'conversationTokens', percent: 95 },
        { limit: 'workspaceDailyTokens', percent: 86 },
      ]),
    );
    const other = newOwner();
    await use(ledger, other, {}, 1_000_000);
    expect(await told(other)).toEqual([]);
  });

  it('is on its way if and only if the call is settled', async () => {
    const owner = newOwner();
    const limits: Limits = { personDailyTokens: 1_000 };
    const broken = ledgerWith({ ...outbox, appendEvents: () => Promise.reject(new Error('the outbox is full')) });
    const call = await hold(broken, owner, limits, 900);
    await expect(broken.settle(call, end(900))).rejects.toThrow('the outbox is full');
    expect(await database.modelCall.findUnique({ where: { id: call.id } })).toMatchObject({ status: 'started' });
    expect(await told(owner)).toEqual([]);
    await ledgerWith(outbox).settle(call, end(900));
    await ledgerWith(outbox).settle(call, end(900));
    expect(await told(owner)).toHaveLength(1);
  });
});
