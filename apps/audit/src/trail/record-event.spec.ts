import { createHash } from 'node:crypto';
import { eventOf, messageOf } from './events.fixture.ts';
import { numbered, query, reader, useTrail } from './trail.fixture.ts';

const { open, recordMany, rowsOf, asApp } = useTrail();

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

  it.each([
    'UPDATE entries SET actor = $1',
    'DELETE FROM entries WHERE actor <> $1',
    'DELETE FROM checkpoints WHERE note <> $1',
    'UPDATE logs SET size = 0 WHERE workspace_id <> $1',
    'DELETE FROM logs WHERE workspace_id <> $1',
  ])('refuses the app itself: %s [trail.append-only]', async (statement) => {
    await recordMany(...numbered(2));
    await expect(asApp(statement, 'nobody')).rejects.toThrow(/refused/);
  });

  it('refuses the app to truncate [trail.append-only]', async () => {
    for (const table of ['entries', 'checkpoints', 'rejections', 'logs']) {
      await expect(asApp(`TRUNCATE "${table}"`)).rejects.toThrow(/append-only/);
    }
  });
});
