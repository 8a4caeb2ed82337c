import { createHash } from 'node:crypto';
import { eventOf, messageOf } from './events.fixture.ts';
import { numbered, query, reader, useTrail } from './trail.fixture.ts';

const { open, recordMany, rowsOf, asApp, asOwner } = useTrail();

describe('recording', () => {
  it('keeps the canonical bytes, whatever the spelling that came', async () => {
    const event = eventOf({ seq: 1 });
    const shuffled = JSON.stringify(Object.fromEntries(Object.entries(event).reverse()), null, 2);
    await open().record({ ...messageOf(event), body: shuffled });
    const [row] = await rowsOf('entries');
    const leaf = row.leaf as Buffer;
    expect(leaf.toString()).toMatch(/^\{"actor":"user:usr_alice","conversation":"cnv_1","data":\{"mode"/);
    expect(createHash('sha256').update(Uint8Array.of(0)).update(leaf).digest()).toEqual(row.leaf_hash);
  });

  it('takes an event once, however often it is delivered', async () => {
    const { record } = open();
    const message = messageOf(eventOf({ seq: 1 }));
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => record(message)));
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual([...Array(7).fill('known'), 'recorded']);
  });

  it('numbers each workspace without a hole under concurrent writers', async () => {
    const { record, list } = open();
    const facts = ['ws_a', 'ws_b'].flatMap((workspace) => numbered(30, { workspace }));
    await Promise.all(facts.map((one) => record(messageOf(eventOf(one)))));
    const page = await list(reader(), query({ limit: 200 }));
    expect(page.entries.map((entry) => entry.index)).toEqual(Array.from({ length: 30 }, (_, at) => at));
  });

  it('records a type it has never heard of', async () => {
    const outcome = await open().record(messageOf(eventOf({ seq: 1, type: 'agent.future.thing' as never })));
    expect(outcome).toEqual({ kind: 'recorded', workspaceId: 'ws_a', index: 0 });
  });

  it.each<[string, () => { subject: string; body: string; sequence: number }, RegExp]>([
    ['what is not JSON', () => ({ ...messageOf(eventOf({ seq: 1 })), body: 'no' }), /not JSON/],
    [
      'an event without a producer number',
      () => ({
        ...messageOf(eventOf({ seq: 1 })),
        body: JSON.stringify({ ...eventOf({ seq: 1 }), producerseq: undefined }),
      }),
      /producerseq/,
    ],
    [
      'an event of another workspace than its subject',
      () => ({ ...messageOf(eventOf({ seq: 1 })), subject: 'agent.conversation.created.ws_b' }),
      /subject/,
    ],
    ['a name a column cannot hold', () => messageOf(eventOf({ seq: 1, actor: 'user:\0' })), /actor/],
    ['half a character', () => messageOf(eventOf({ seq: 1, data: { a: '\ud800' } })), /canonical/],
  ])('notes %s and goes on', async (_what, make, reason) => {
    const { record } = open();
    for (const _again of [1, 2])
      expect(await record(make())).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(reason) });
    expect(await rowsOf('rejections')).toHaveLength(1);
    expect(await rowsOf('entries')).toHaveLength(0);
  });

  it('notes another event under an id it knows', async () => {
    await recordMany({ seq: 1, id: 'evt_x' });
    const outcome = await open().record(messageOf(eventOf({ seq: 2, id: 'evt_x' })));
    expect(outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/under its id/) });
  });

  const refused = ['entries', 'checkpoints', 'rejections'].flatMap((table) => [
    `UPDATE ${table} SET recorded_at = now()`.replace(
      'recorded_at',
      table === 'checkpoints' ? 'created_at' : 'recorded_at',
    ),
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    `DROP TRIGGER append_only ON ${table}`,
    `CREATE TRIGGER mine BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    `ALTER TABLE ${table} ADD COLUMN mine TEXT`,
    `ALTER TABLE ${table} OWNER TO bravo_audit`,
    `ALTER TABLE ${table} RENAME TO mine`,
    `DROP TABLE ${table} CASCADE`,
  ]);
  refused.push(
    'UPDATE logs SET workspace_id = workspace_id',
    'DELETE FROM logs',
    'TRUNCATE logs',
    'ALTER TABLE logs DISABLE TRIGGER ALL',
    'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'CREATE OR REPLACE FUNCTION refuse_shrinking() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'DROP FUNCTION refuse_change CASCADE',
    'CREATE TABLE audit.mine (id int)',
    'DROP SCHEMA audit CASCADE',
    'SET ROLE bravo_audit_owner',
    'SET session_replication_role = replica',
  );
  it.each(refused)("refuses the app's own role: %s [trail.append-only]", async (statement) => {
    await recordMany(...numbered(2));
    await expect(asApp(statement)).rejects.toThrow(/permission denied|must be owner/);
    expect(await rowsOf('entries')).toHaveLength(2);
  });

  it("lets a log's size only grow, which is all the app's role may change [trail.append-only]", async () => {
    await recordMany(...numbered(2));
    await expect(asApp('UPDATE logs SET size = 0')).rejects.toThrow(/only grows/);
    await expect(asApp('UPDATE logs SET size = size')).rejects.toThrow(/only grows/);
    expect(await asApp('UPDATE logs SET size = size + 1')).toBe(1);
  });

  it.each(['UPDATE entries SET actor = actor', 'DELETE FROM checkpoints', 'TRUNCATE rejections CASCADE'])(
    'refuses the owner, too, what would be a mistake: %s',
    async (statement) => {
      await expect(asOwner(statement)).rejects.toThrow(/append-only/);
    },
  );
});
