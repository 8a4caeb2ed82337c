/** What is kept, for how long, what is held whatever the policy says, and what pruning leaves. */
import type { Principal } from '@bravo/chassis';
import { createLogger, startRounds } from '@bravo/chassis';
import { createExportEntries } from '../exports/export-entries.ts';
import { createGetCheckpoint } from '../checkpoints/get-checkpoint.ts';
import { createContents, KEY_LIFE_MS } from '../contents/contents.ts';
import { createKeyWrapper } from '../contents/wrap-key.ts';
import { eventOf, messageOf } from '../trail/events.fixture.ts';
import { member, numbered, query, reader, useTrail } from '../trail/trail.fixture.ts';
import { createPruneLog } from './prune-log.ts';
import { createKeepTrail } from './retention.ts';
import { readSpan, spellSpan } from './span.ts';
import { pruningRounds } from './pruning-rounds.ts';

const { open, recordMany, tamper, asApp, url, signer, rowsOf } = useTrail();
const DAY = 86_400;
const admin: Principal = reader({ permissions: ['view_content', 'audit_read', 'manage_members'] });
const keep = () => createKeepTrail(open().retention, 30 * DAY);
const hold = (over: object = {}) => keep().place(admin, { scope: 'workspace', subject: '', reason: 'a case', ...over });

/** Of 600 entries the first `old` are two days old; signed at 300 and 600. */
const signedLog = async (old = 450): Promise<void> => {
  await recordMany(...numbered(300));
  await open().signCheckpoint('ws_a');
  await recordMany(...numbered(600).slice(300));
  await open().signCheckpoint('ws_a');
  await tamper(`UPDATE entries SET recorded_at = now() - interval '2 days' WHERE index < ${old}`);
  await open().retention.setPolicy('ws_a', { rows: DAY, content: null }, 'user:usr_alice');
};
const prune = () => open().pruneLog('ws_a', DAY);
const kept = async (): Promise<number> =>
  Number(((await rowsOf('(SELECT count(*) FROM entries) AS c')) as { count: string }[])[0]?.count);

describe('how long', () => {
  it('is a time or for ever, and never nothing', () => {
    expect(['400d', '12h', '90s', 'forever'].map(readSpan)).toEqual([400 * DAY, 43_200, 90, null]);
    for (const wrong of ['', '0', '0d', '-1d', '1', 'never', '1.5d', ' 1d', 'unlimited', '99999999d'])
      expect(readSpan(wrong)).toBeUndefined();
    expect([400 * DAY, 43_200, 90, 5_400, null].map(spellSpan)).toEqual(['400d', '12h', '90s', '90m', 'forever']);
  });

  it('is what an admin says, on record, else what the operator says [trail.retention]', async () => {
    await open().retention.setDefault({ rows: 400 * DAY, content: null });
    await open().retention.setDefault({ rows: 400 * DAY, content: null });
    expect(await keep().get(admin)).toMatchObject({
      inForce: { rows: '400d', content: 'forever' },
      own: false,
      least: '30d',
      first: 0,
      holds: [],
    });
    expect(await keep().put(admin, { rows: '90d', content: '60d' })).toEqual({ rows: '90d', content: '60d' });
    expect(await keep().get(admin)).toMatchObject({ inForce: { rows: '90d', content: '60d' }, own: true });
    expect(((await rowsOf('outbox')) as { body: string }[]).map(({ body }) => JSON.parse(body) as object)).toEqual([
      expect.objectContaining({
        type: 'agent.retention.changed',
        actor: 'user:usr_alice',
        data: { rows: '90d', content: '60d' },
      }),
    ]);
    for (const rows of ['0d', '', '29d', 'never'])
      await expect(keep().put(admin, { rows, content: 'forever' })).rejects.toThrow(/rows/);
    await expect(keep().put(admin, { rows: 'forever', content: '1s' })).rejects.toThrow(/at least 30d/);
    for (const other of [reader(), member('usr_bob')])
      await expect(keep().put(other, { rows: 'forever', content: 'forever' })).rejects.toThrow(/permission/);
    await expect(keep().get(member('usr_bob'))).rejects.toThrow(/audit_read/);
    await expect(
      createKeepTrail(open().retention, null).put(admin, { rows: '900d', content: 'forever' }),
    ).rejects.toThrow(/at least forever/);
  });
});

describe('pruning', () => {
  it('takes what is over its time and signed, and what remains verifies and proves itself from a signed stub [trail.pruned]', async () => {
    await signedLog();
    expect(await prune()).toBe(300);
    expect(await prune()).toBe(0);
    expect(await kept()).toBe(300);
    const { verify, list, recordAll } = open();
    expect(await verify(admin, { deep: true })).toMatchObject({
      ok: true,
      first: 300,
      size: 600,
      gaps: [],
      problem: '',
    });
    expect((await list(admin, query({ order: 'desc' }))).entries[0]?.index).toBe(599);
    const ports = { ...open(), signer };
    const proven = await createGetCheckpoint(ports)(admin, { older: [600], indexes: [300, 301, 511, 599] });
    expect(proven.inclusion.map(({ hashes }) => hashes.length)).toEqual([10, 10, 10, 6]);
    await expect(createGetCheckpoint(ports)(admin, { older: [299], indexes: [] })).rejects.toThrow(
      /before 300 were pruned/,
    );
    await expect(createGetCheckpoint(ports)(admin, { older: [], indexes: [299] })).rejects.toThrow(/from 300/);
    let text = '';
    for await (const piece of createExportEntries(ports)(admin, { format: 'jsonl', filter: {}, older: [] }))
      text += piece;
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
      first: 300,
      stub: { note: expect.stringContaining('pruned before ') },
    });
    // A stream that is published again brings nothing back.
    const again = await recordAll(numbered(2).map((facts) => messageOf(eventOf(facts))));
    expect(again.map(({ kind }) => kind)).toEqual(['known', 'known']);
    await recordMany({ seq: 601 });
    await open().signCheckpoint('ws_a');
    expect(await verify(admin)).toMatchObject({ ok: true, size: 601, gaps: [] });
  });

  it('is a row of the trail, and goes on from where it ended', async () => {
    await signedLog();
    await prune();
    const told = ((await rowsOf('outbox')) as { body: string }[]).map(
      ({ body }) => JSON.parse(body) as { type: string; data: object },
    );
    expect(told.at(-1)).toMatchObject({ type: 'agent.trail.pruned', data: { first: 0, size: 300 } });
    await tamper(`UPDATE entries SET recorded_at = now() - interval '2 days'`);
    expect(await prune()).toBe(300);
    expect(await open().verify(admin)).toMatchObject({ ok: true, first: 600, size: 600 });
    await recordMany({ seq: 601 });
    await open().signCheckpoint('ws_a');
    const proven = await createGetCheckpoint({ ...open(), signer })(admin, { older: [600], indexes: [600] });
    expect(proven.inclusion[0]?.hashes).toHaveLength(4);
    expect(await open().verify(admin)).toMatchObject({ ok: true, first: 600, size: 601 });
  });

  it('takes nothing that no place outside has a checkpoint over', async () => {
    await signedLog(600);
    const ports = { ...open(), signer };
    const guarded = createPruneLog({ ...ports, sinks: ['table', 'directory'] });
    await ports.deliveries.add('table', { workspaceId: 'ws_a', size: 600, note: '' }, '');
    expect(await guarded('ws_a', DAY)).toBe(0);
    await ports.deliveries.add('directory', { workspaceId: 'ws_a', size: 300, note: '' }, '');
    expect(await guarded('ws_a', DAY)).toBe(300);
  });

  it.each([
    ['an entry edited', `UPDATE entries SET leaf = leaf || ' ' WHERE index = 5`],
    [
      'an entry edited with its hash',
      `UPDATE entries SET leaf = leaf || ' ', leaf_hash = sha256('\\x00'::bytea || leaf || ' ') WHERE index = 5`,
    ],
    ['an entry deleted', 'DELETE FROM entries WHERE index = 5'],
  ])('leaves a log that is not what was signed as it is: it is evidence (%s)', async (_what, statement) => {
    await signedLog();
    await tamper(statement);
    await expect(prune()).rejects.toThrow(/nothing is pruned/);
    const { alerts, retention, pruneLog } = open();
    const logger = createLogger('audit', 'silent');
    const running = startRounds(
      () => undefined,
      pruningRounds({ retention, pruneLog, alerts, keyLifeSeconds: 1, everyMs: 20, logger }),
    );
    while ((await alerts.list('ws_a', 10)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await running.stop();
    expect(await alerts.list('ws_a', 10)).toEqual([expect.objectContaining({ kind: 'pruning' })]);
    expect(await open().retention.stub('ws_a')).toBeUndefined();
  });

  it('happens once where two do it at once, and wholly or not at all', async () => {
    await signedLog();
    const removed = await Promise.all([prune(), prune(), prune()].map((one) => one.catch(() => -1)));
    expect(removed.filter((count) => count === 300)).toHaveLength(1);
    expect(await open().verify(admin)).toMatchObject({ ok: true, first: 300 });
    expect(
      ((await rowsOf('outbox')) as { body: string }[]).filter(({ body }) => body.includes('agent.trail.pruned')),
    ).toHaveLength(1);
  });

  it('is nothing the writer of the trail may do, and nothing its own role may do against the policy [trail.append-only] [trail.hold]', async () => {
    await signedLog();
    await expect(asApp(`SELECT audit.prune_entries('ws_a', 300, '', '', '', 'e', 's', 'b')`)).rejects.toThrow(
      /permission denied/,
    );
    const { createScanPool } = await import('../databases/database.prisma.ts');
    const pool = createScanPool(url('pruner'));
    const call = (size: number) =>
      pool.query(`SELECT audit.prune_entries('ws_a', $1, 'n', '', '', 'e', 's', 'b')`, [size]);
    try {
      await expect(pool.query('DELETE FROM audit.entries')).rejects.toThrow(/permission denied/);
      await expect(pool.query('SELECT * FROM audit.entries')).rejects.toThrow(/permission denied/);
      await expect(call(301)).rejects.toThrow(/Nothing was signed at 301/);
      await expect(call(600)).rejects.toThrow(/younger than the policy/);
      await open().retention.setPolicy('ws_a', { rows: null, content: null }, 'user:usr_alice');
      await expect(call(300)).rejects.toThrow(/for ever/);
      await open().retention.setPolicy('ws_a', { rows: DAY, content: null }, 'user:usr_alice');
      await hold({ scope: 'conversation', subject: 'cnv_1' });
      await expect(call(300)).rejects.toThrow(/legal hold keeps entry 0/);
      await tamper('DELETE FROM holds', 'DELETE FROM entries WHERE index = 7');
      await expect(call(300)).rejects.toThrow(/hole before entry 300/);
      expect(await kept()).toBe(599);
    } finally {
      await pool.end();
    }
  });
});

describe('a legal hold', () => {
  it('beats the policy until it is lifted, and both are on record with who and why [trail.hold]', async () => {
    await signedLog();
    const placed = await hold();
    expect(placed).toMatchObject({ scope: 'workspace', placedBy: 'user:usr_alice', reason: 'a case', protectsFrom: 0 });
    expect(await prune()).toBe(0);
    expect(await kept()).toBe(600);
    await keep().lift(admin, placed.holdId, 'the case is closed');
    expect((await keep().get(admin)).holds).toEqual([
      expect.objectContaining({
        lifted: expect.objectContaining({ by: 'user:usr_alice', reason: 'the case is closed' }),
      }),
    ]);
    expect(await prune()).toBe(300);
    const types = ((await rowsOf('outbox')) as { body: string }[]).map(
      ({ body }) => (JSON.parse(body) as { type: string }).type,
    );
    expect(types).toEqual(['agent.retention.changed', 'agent.hold.placed', 'agent.hold.lifted', 'agent.trail.pruned']);
  });

  it('over a person or a conversation keeps from its first entry on, and no other workspace', async () => {
    await recordMany(
      ...numbered(3, { conversation: 'cnv_9', actor: 'user:usr_bob' }).map((facts) => ({
        ...facts,
        id: `evt_b${facts.seq}`,
        producer: 'other',
      })),
    );
    await recordMany(...numbered(3));
    expect(await hold({ scope: 'person', subject: 'usr_bob' })).toMatchObject({ protectsFrom: 0 });
    expect(await hold({ scope: 'conversation', subject: 'cnv_1' })).toMatchObject({ protectsFrom: 3 });
    expect(await hold({ scope: 'person', subject: 'usr_nobody' })).toMatchObject({ protectsFrom: 6 });
    expect(await open().retention.holds('ws_b')).toEqual([]);
    await expect(
      keep().lift(reader({ workspaceId: 'ws_b', permissions: admin.permissions }), 'hld_x', 'no'),
    ).rejects.toThrow(/no such hold/);
    for (const wrong of [
      { scope: 'person' },
      { scope: 'workspace', subject: 'usr_bob' },
      { scope: 'planet', subject: 'x' },
      { reason: ' ' },
    ])
      await expect(hold(wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(keep().place(reader(), { scope: 'workspace', subject: '', reason: 'x' })).rejects.toThrow(
      /manage_members/,
    );
  });

  it('keeps sealed content from erasure and from the policy; without one, keys go when their time is over [trail.hold]', async () => {
    const { entries, keys, tellOwnEvent, retention } = open();
    const contents = createContents({
      entries,
      keys,
      wrapper: createKeyWrapper(new Uint8Array(32)),
      tell: tellOwnEvent,
    });
    await contents.sealingKey('ws_a', 'usr_bob');
    await contents.sealingKey('ws_a', 'usr_alice');
    await retention.setPolicy('ws_a', { rows: null, content: 40 * DAY }, 'user:usr_alice');
    const expire = () => retention.expireContent(KEY_LIFE_MS / 1_000);
    await tamper(`UPDATE person_keys SET created_at = now() - interval '69 days'`);
    expect(await expire()).toBe(0);
    await tamper(`UPDATE person_keys SET created_at = now() - interval '71 days'`);
    const placed = await hold({ scope: 'person', subject: 'usr_bob' });
    expect(await expire()).toBe(1);
    await expect(contents.erase(admin, 'usr_bob', 'asked')).rejects.toThrow(`The legal hold ${placed.holdId} keeps`);
    await keep().lift(admin, placed.holdId, 'over');
    expect(await expire()).toBe(1);
    expect(await expire()).toBe(0);
    expect(
      ((await rowsOf('outbox')) as { body: string }[]).filter(({ body }) => body.includes('agent.content.expired')),
    ).toHaveLength(2);
  });
});
