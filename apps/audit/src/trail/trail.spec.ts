import type { Principal } from '@bravo/chassis';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { createHash, generateKeyPairSync } from 'node:crypto';
import pg from 'pg';
import { createCheckpoints } from '../checkpoints/checkpoints.prisma.ts';
import { createSignCheckpoint } from '../checkpoints/sign-checkpoint.ts';
import { createNoteSigner } from '../checkpoints/signed-note.ts';
import { createDatabase, type Database } from '../databases/database.prisma.ts';
import { createEntries } from './entries.prisma.ts';
import { eventOf, type EventFacts, messageOf } from './events.fixture.ts';
import { createListEntries, type ListEntriesQuery } from './list-entries.ts';
import { createRecordEvent } from './record-event.ts';
import { createVerifyLog } from './verify-log.ts';

let postgres: TestPostgres;
let database: Database;
let admin: pg.Client;
const signer = createNoteSigner(generateKeyPairSync('ed25519').privateKey);

beforeAll(async () => {
  postgres = await startTestPostgres({ app: 'audit', schema: 'audit' });
  database = createDatabase(postgres.url('audit'));
  admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query('SET search_path TO audit');
});
afterAll(async () => {
  await admin.end();
  await database.$disconnect();
  await postgres.stop();
});

const open = () => {
  const entries = createEntries(database);
  const checkpoints = createCheckpoints(database);
  return {
    record: createRecordEvent(entries),
    list: createListEntries(entries),
    verify: createVerifyLog({ entries, checkpoints, signer }),
    signCheckpoint: createSignCheckpoint({ entries, checkpoints, signer }),
    checkpoints,
  };
};

/** What somebody with the database in their hands can do: no trigger stops a superuser in this mode. */
const tamper = async (...statements: string[]): Promise<void> => {
  await admin.query('SET session_replication_role = replica');
  for (const statement of statements) await admin.query(statement);
  await admin.query('SET session_replication_role = origin');
};
beforeEach(() => tamper('TRUNCATE entries, logs, checkpoints, rejections'));

const reader = (over: Partial<Principal> = {}): Principal => ({
  issuer: 'gateway',
  audience: 'audit',
  userId: 'usr_alice',
  workspaceId: 'ws_a',
  role: 'admin',
  permissions: ['view_content', 'audit_read'],
  agent: undefined,
  ...over,
});
const member = (userId: string) => reader({ userId, role: 'member', permissions: ['view_content'] });
const query = (over: Partial<ListEntriesQuery> = {}): ListEntriesQuery => ({ order: 'asc', limit: 0, cursor: '', ...over });

const recordMany = async (...facts: EventFacts[]) => {
  const { record } = open();
  for (const one of facts) await record(messageOf(eventOf(one)));
};
const numbered = (count: number, over: Omit<EventFacts, 'seq'> = {}) => Array.from({ length: count }, (_, at) => ({ seq: at + 1, ...over }));

describe('recording', () => {
  it('keeps the canonical bytes, whatever the spelling that came', async () => {
    const event = eventOf({ seq: 1 });
    const shuffled = JSON.stringify(Object.fromEntries(Object.entries(event).reverse()), null, 2);
    await open().record({ ...messageOf(event), body: shuffled });
    const { rows } = await admin.query('SELECT leaf, leaf_hash FROM entries');
    const leaf = rows[0].leaf as Buffer;
    expect(leaf.toString()).toMatch(/^\{"actor":"user:usr_alice","conversation":"cnv_1","data":\{"mode"/);
    expect(createHash('sha256').update(Uint8Array.of(0)).update(leaf).digest()).toEqual(rows[0].leaf_hash);
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
    ['an event without a producer number', () => ({ ...messageOf(eventOf({ seq: 1 })), body: JSON.stringify({ ...eventOf({ seq: 1 }), producerseq: undefined }) }), /producerseq/],
    ['an event of another workspace than its subject', () => ({ ...messageOf(eventOf({ seq: 1 })), subject: 'agent.conversation.created.ws_b' }), /subject/],
    ['a name a column cannot hold', () => messageOf(eventOf({ seq: 1, actor: 'user:\0' })), /actor/],
    ['half a character', () => messageOf(eventOf({ seq: 1, data: { a: '\ud800' } })), /canonical/],
  ])('notes %s and goes on', async (_what, make, reason) => {
    const { record } = open();
    for (const _again of [1, 2]) expect(await record(make())).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(reason) });
    expect((await admin.query('SELECT * FROM rejections')).rows).toHaveLength(1);
    expect((await admin.query('SELECT * FROM entries')).rows).toHaveLength(0);
  });

  it('notes another event under an id it knows', async () => {
    await recordMany({ seq: 1, id: 'evt_x' });
    const outcome = await open().record(messageOf(eventOf({ seq: 2, id: 'evt_x' })));
    expect(outcome).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/under its id/) });
  });

  it.each(['UPDATE entries SET actor = $1', 'DELETE FROM entries WHERE actor <> $1', 'DELETE FROM checkpoints WHERE note <> $1', 'UPDATE logs SET size = 0 WHERE workspace_id <> $1', 'DELETE FROM logs WHERE workspace_id <> $1'])(
    'refuses the app itself: %s',
    async (statement) => {
      await recordMany(...numbered(2));
      await expect(database.$executeRawUnsafe(statement, 'nobody')).rejects.toThrow(/refused/);
    },
  );

  it('refuses the app to truncate', async () => {
    for (const table of ['entries', 'checkpoints', 'rejections', 'logs']) {
      await expect(database.$executeRawUnsafe(`TRUNCATE "${table}"`)).rejects.toThrow(/append-only/);
    }
  });
});

describe('listing', () => {
  it('pages both ways by index and never repeats or leaves out', async () => {
    await recordMany(...numbered(7));
    for (const order of ['asc', 'desc', '']) {
      const seen: number[] = [];
      let cursor = '';
      do {
        const page = await open().list(reader(), query({ order, limit: 3, cursor }));
        seen.push(...page.entries.map((entry) => entry.index));
        cursor = page.nextCursor;
      } while (cursor !== '');
      const wanted = [0, 1, 2, 3, 4, 5, 6];
      expect(seen).toEqual(order === 'asc' ? wanted : wanted.reverse());
    }
  });

  it('filters by conversation, actor, type and time', async () => {
    await recordMany(
      { seq: 1 },
      { seq: 2, conversation: 'cnv_2' },
      { seq: 3, actor: 'service:broker' },
      { seq: 4, type: 'agent.conversation.ended', data: { reason: 'asked' } },
    );
    const indexes = async (over: Partial<ListEntriesQuery>) => (await open().list(reader(), query(over))).entries.map(({ index }) => index);
    expect(await indexes({ conversationId: 'cnv_2' })).toEqual([1]);
    expect(await indexes({ actor: 'service:broker' })).toEqual([2]);
    expect(await indexes({ type: 'agent.conversation.ended' })).toEqual([3]);
    expect(await indexes({ from: new Date('2026-11-30T12:00:02Z'), to: new Date('2026-11-30T12:00:04Z') })).toEqual([1, 2]);
  });

  it('keeps workspaces apart', async () => {
    await recordMany({ seq: 1, workspace: 'ws_b' });
    expect((await open().list(reader(), query())).entries).toEqual([]);
    expect((await open().list(reader(), query({ conversationId: 'cnv_1' }))).entries).toEqual([]);
  });

  it('shows a member their own conversation, what services and the agent did in it included', async () => {
    await recordMany(
      { seq: 1, actor: 'user:usr_bob' },
      { seq: 2, actor: 'bravo:usr_bob', onbehalfof: 'usr_bob' },
      { seq: 3, actor: 'service:broker' },
    );
    expect((await open().list(member('usr_bob'), query({ conversationId: 'cnv_1' }))).entries).toHaveLength(3);
  });

  it.each([
    ['the whole workspace', undefined, 'permission_denied'],
    ["somebody else's conversation", 'cnv_1', 'not_found'],
    ['a conversation that is not there', 'cnv_9', 'not_found'],
  ])('refuses a member %s', async (_what, conversationId, code) => {
    await recordMany({ seq: 1 });
    const asked = query(conversationId ? { conversationId } : {});
    await expect(open().list(member('usr_bob'), asked)).rejects.toMatchObject({ code });
  });

  it('refuses an agent, even one of an administrator', async () => {
    const agent = reader({ agent: { conversationId: 'cnv_1', podId: 'pod_1' } });
    await expect(open().list(agent, query())).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(open().verify(agent)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it.each([[{ cursor: 'zzz' }], [{ cursor: Buffer.from('desc:1').toString('base64url') }], [{ order: 'up' }], [{ limit: -1 }]])('refuses %j', async (over) => {
    await expect(open().list(reader(), query(over))).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('verifying', () => {
  /** Seven entries under checkpoints at 3 and 6, and one in the window after them. */
  const signedLog = async () => {
    const { signCheckpoint } = open();
    for (const [at, facts] of numbered(7).entries()) {
      await recordMany(facts);
      if (at === 2 || at === 5) await signCheckpoint('ws_a');
    }
  };

  it('finds nothing wrong with an honest log', async () => {
    await signedLog();
    const found = await open().verify(reader());
    expect(found).toMatchObject({ ok: true, size: 7, firstBadIndex: -1, problem: '', gaps: [], checkpoint: { size: 6 } });
    expect(found.verifierKey).toMatch(/^bravo\/ws_a\+[0-9a-f]{8}\+/);
    expect(found.checkpoint?.note).toMatch(/^bravo\/ws_a\n6\n/);
  });

  it('finds nothing wrong with an empty one', async () => {
    expect(await open().verify(reader())).toMatchObject({ ok: true, size: 0, checkpoint: undefined, gaps: [] });
  });

  it('needs audit_read', async () => {
    await expect(open().verify(member('usr_bob'))).rejects.toMatchObject({ code: 'permission_denied' });
  });

  const swap = `UPDATE entries AS e SET leaf = o.leaf, leaf_hash = o.leaf_hash, event_id = o.event_id || '?', producer_seq = o.producer_seq, time = o.time
    FROM entries AS o WHERE e.workspace_id = o.workspace_id AND (e.index, o.index) IN ((1, 4), (4, 1))`;

  it.each<[string, string[], number, RegExp]>([
    ['an edited event', [`UPDATE entries SET leaf = convert_to(replace(convert_from(leaf, 'UTF8'), 'coworker', 'voice'), 'UTF8') WHERE index = 4`], 4, /hash/],
    ['an edited hash', [`UPDATE entries SET leaf_hash = sha256('x') WHERE index = 2`], 2, /hash/],
    ['an edited column', [`UPDATE entries SET actor = 'user:usr_mallory' WHERE index = 6`], 6, /column actor/],
    ['an edited time', [`UPDATE entries SET time = time + interval '1 hour' WHERE index = 0`], 0, /time/],
    ['bytes that are no event', [`UPDATE entries SET leaf = 'x'::bytea, leaf_hash = sha256('\\x0078'::bytea) WHERE index = 3`], 3, /cannot be read/],
    ['an edited event with its hash made to fit', [`UPDATE entries SET leaf = convert_to(replace(convert_from(leaf, 'UTF8'), 'coworker', 'voice'), 'UTF8') WHERE index = 4`, `UPDATE entries SET leaf_hash = sha256('\\x00'::bytea || leaf) WHERE index = 4`], 3, /first 6 entries are not the ones that were signed/],
    ['a deleted entry', ['DELETE FROM entries WHERE index = 4'], 4, /missing/],
    ['the first deleted', ['DELETE FROM entries WHERE index = 0'], 0, /missing/],
    ['a deleted entry with the rest moved up', ['DELETE FROM entries WHERE index = 4', 'UPDATE entries SET index = index - 1 WHERE index > 4', 'UPDATE logs SET size = 6'], 3, /first 6 entries/],
    ['two entries swapped', [swap, `UPDATE entries SET event_id = rtrim(event_id, '?')`], 0, /first 3 entries/],
    ['a cut tail under a checkpoint', ['DELETE FROM entries WHERE index >= 4'], 4, /missing/],
    ['a cut tail and the size with it', ['DELETE FROM entries WHERE index >= 4', 'UPDATE logs SET size = 4'], 4, /missing/],
    ['a cut tail in the window', ['DELETE FROM entries WHERE index = 6'], 6, /missing/],
    ['everything cut but the checkpoints', ['DELETE FROM entries', 'DELETE FROM logs'], 0, /missing/],
    ['an entry put in past the end', [`INSERT INTO entries SELECT workspace_id, 7, leaf, leaf_hash, 'evt_more', type, actor, on_behalf_of, conversation_id, producer, 8, time, recorded_at FROM entries WHERE index = 6`], 7, /past the end/],
    ['a note that was edited', [`UPDATE checkpoints SET note = replace(note, E'\\n6\\n', E'\\n5\\n') WHERE size = 6`], 3, /signature/],
    ['an older note in place of the newest', ['UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size = 3) WHERE size = 6'], 3, /another log or size/],
  ])('finds %s', async (_what, statements, index, problem) => {
    await signedLog();
    await tamper(...statements);
    const found = await open().verify(reader());
    expect(found).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
    expect(found.firstBadIndex).toBe(index);
  });

  it('finds a log that another key signed', async () => {
    await signedLog();
    const other = createNoteSigner(generateKeyPairSync('ed25519').privateKey);
    const verify = createVerifyLog({ entries: createEntries(database), checkpoints: createCheckpoints(database), signer: other });
    expect(await verify(reader())).toMatchObject({ ok: false, firstBadIndex: 0, problem: expect.stringMatching(/signature/) });
  });

  it('leaves the hole where a new entry comes after a cut tail', async () => {
    await signedLog();
    await tamper('DELETE FROM entries WHERE index = 6');
    await recordMany({ seq: 8 });
    expect(await open().verify(reader())).toMatchObject({ ok: false, size: 8, firstBadIndex: 6 });
  });

  it('says which producer numbers never came, over all workspaces', async () => {
    await recordMany({ seq: 2 }, { seq: 3, workspace: 'ws_b' }, { seq: 5 }, { seq: 9 }, { seq: 1, producer: 'identity', workspace: 'ws_b' });
    expect((await open().verify(reader())).gaps).toEqual([
      'Event 1 of broker never came.',
      'Event 4 of broker never came.',
      'Events 6 to 8 of broker never came.',
    ]);
  });

  it.each<[string, string[], RegExp]>([
    ['an entry that was changed', [`UPDATE entries SET leaf_hash = sha256('x') WHERE index = 6`], /entry 6 .* was changed/],
    ['a log with a hole', ['DELETE FROM entries WHERE index = 6'], /entry 6 is missing/],
    ['subtrees that were changed', [`UPDATE checkpoints SET peaks = sha256('x') || sha256('y') WHERE size = 6`], /not what was signed/],
    ['a last note that was changed', [`UPDATE checkpoints SET note = 'x' WHERE size = 6`], /not signed with this key/],
  ])('never signs %s', async (_what, statements, problem) => {
    await signedLog();
    await tamper(...statements);
    await recordMany({ seq: 8 });
    await expect(open().signCheckpoint('ws_a')).rejects.toThrow(problem);
    expect((await open().checkpoints.latest('ws_a'))?.size).toBe(6);
  });

  it('signs nothing twice', async () => {
    await signedLog();
    const { signCheckpoint, checkpoints } = open();
    await Promise.all([signCheckpoint('ws_a'), signCheckpoint('ws_a'), signCheckpoint('ws_a')]);
    await signCheckpoint('ws_a');
    expect((await checkpoints.all('ws_a')).map(({ size }) => size)).toEqual([3, 6, 7]);
    expect(await checkpoints.logsBehind()).toEqual([]);
  });
});
