/** One leader at a time, whatever happens to its connection. */
import { startTestPostgres, type TestPostgres, waitUntil } from '@bravo/testing';
import pg from 'pg';
import { type Leader, startLeading } from './leader-lock.prisma.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres({ app: 'audit', schema: 'audit' });
});
afterAll(() => postgres.stop());

/** Counts how many lead at once, over all of them. */
const startThree = () => {
  const now = new Set<number>();
  let most = 0;
  let begun = 0;
  const leaders = [1, 2, 3].map((id): Leader =>
    startLeading({
      url: postgres.url('audit'),
      lookMs: 30,
      onChange: () => undefined,
      begin: () => {
        begun += 1;
        now.add(id);
        most = Math.max(most, now.size);
        return {
          stop: async () => {
            await new Promise((resolve) => setTimeout(resolve, 20));
            now.delete(id);
          },
        };
      },
    }),
  );
  return { leaders, now, most: () => most, begun: () => begun };
};

const endConnections = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()`,
  );
  await client.end();
};

it('leads alone, hands over when it stops, and gives up when its connection is cut [trail.recorded-once]', async () => {
  const { leaders, now, most, begun } = startThree();
  await waitUntil('one to lead', async () => now.size === 1);
  await leaders.find((leader) => leader.leading())?.stop();
  await waitUntil('another to lead', async () => begun() === 2 && now.size === 1);
  await endConnections();
  await waitUntil('somebody to lead again', async () => begun() >= 3 && now.size === 1);
  await Promise.all(leaders.map((leader) => leader.stop()));
  expect(now.size).toBe(0);
  expect(leaders.some((leader) => leader.leading())).toBe(false);
  // Who was cut off may still be ending while the next one begins: that is why recording is idempotent too.
  expect(most()).toBeLessThanOrEqual(2);
});
