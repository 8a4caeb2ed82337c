/** The servers that tests stand on are the real ones and each app's role is shut out of the others' schemas. */
import { connect } from '@nats-io/transport-node';
import { jetstreamManager, jetstream } from '@nats-io/jetstream';
import pg from 'pg';
import { startTestNats, startTestPostgres, type TestNats, type TestPostgres } from './index.ts';

describe('startTestPostgres', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  afterAll(() => postgres.stop());

  const as = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  };

  it('puts a table that names no schema into the schema of the role', async () => {
    await postgres.asOwner('identity', 'CREATE TABLE "Thing" (id int)');
    const found = await as(postgres.adminUrl, (client) =>
      client.query(`SELECT table_schema FROM information_schema.tables WHERE table_name = 'Thing'`),
    );
    expect(found.rows).toEqual([{ table_schema: 'identity' }]);
  });

  it("gives the app's role the rows and not the table", async () => {
    await as(postgres.url('identity'), async (client) => {
      await client.query('INSERT INTO "Thing" VALUES (1)');
      expect((await client.query('UPDATE "Thing" SET id = 2 RETURNING id')).rows).toEqual([{ id: 2 }]);
      await expect(client.query('ALTER TABLE "Thing" ADD COLUMN x int')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('TRUNCATE "Thing"')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('CREATE TABLE "Other" (id int)')).rejects.toMatchObject({ code: '42501' });
    });
  });

  it("refuses one app's role the schema of another", async () => {
    await expect(
      as(postgres.url('audit'), (client) => client.query('SELECT * FROM identity."Thing"')),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(
      as(postgres.url('audit'), (client) => client.query('CREATE TABLE public.x (id int)')),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('startTestNats', () => {
  let nats: TestNats;
  beforeAll(async () => {
    const narrow = { name: 'narrow', password: 'p', publish: ['agent.>'], subscribe: ['_INBOX.>'] };
    nats = await startTestNats([narrow]);
  });
  afterAll(() => nats.stop());

  it('keeps a stream across a restart', async () => {
    const first = await connect({ servers: nats.url, user: nats.user, pass: nats.password });
    const manager = await jetstreamManager(first);
    await manager.streams.add({ name: 'KEPT', subjects: ['kept'] });
    await jetstream(first).publish('kept', 'one');
    await first.close();
    await nats.restart();
    const second = await connect({ servers: nats.url, user: nats.user, pass: nats.password });
    const info = await (await jetstreamManager(second)).streams.info('KEPT');
    expect(info.state.messages).toBe(1);
    await second.close();
  });

  it('refuses a wrong password', async () => {
    await expect(connect({ servers: nats.url, user: 'narrow', pass: 'wrong' })).rejects.toThrow(/[Aa]uthorization/);
  });
});
