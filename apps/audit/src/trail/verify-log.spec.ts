import { generateKeyPairSync } from 'node:crypto';
import { alertUnverified } from '../alerts/alert-unverified.ts';
import { createNoteSigner } from '../checkpoints/signed-note.ts';
import { member, numbered, reader, useTrail } from './trail.fixture.ts';
import { createVerifyLog } from './verify-log.ts';

const { open, recordMany, signer, tamper } = useTrail();

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
    expect(found).toMatchObject({
      ok: true,
      size: 7,
      firstBadIndex: -1,
      problem: '',
      gaps: [],
      checkpoint: { size: 6 },
    });
    expect(found.verifierKey).toMatch(/^bravo\/ws_a\+[0-9a-f]{8}\+/);
    expect(found.checkpoint?.note).toMatch(/^bravo\/ws_a\n6\n/);
  });

  it('finds nothing wrong with an empty one', async () => {
    expect(await open().verify(reader())).toMatchObject({ ok: true, size: 0, checkpoint: undefined, gaps: [] });
  });

  it('is for every member of the workspace, for no agent, and tells nothing that was recorded [trail.verify-all]', async () => {
    await signedLog();
    const { verify } = open();
    const found = await verify(member('usr_bob'));
    expect(found).toEqual(await verify(reader()));
    expect(JSON.stringify(found)).not.toMatch(/usr_|cnv_|agent\./);
    const agent = { conversationId: 'cnv_1', podId: 'pod_1' };
    await expect(verify(reader({ agent }))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(verify(reader({ workspaceId: '' }))).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('is done once for all who ask at the same time, and anew for who asks after', async () => {
    await signedLog();
    const { verify } = open();
    const [one, other] = await Promise.all([verify(reader()), verify(member('usr_bob'))]);
    expect(other).toBe(one);
    await tamper(`DELETE FROM entries WHERE index = 5`);
    expect(await verify(reader())).toMatchObject({ ok: false, firstBadIndex: 5 });
  });

  const swap = `UPDATE entries AS e SET leaf = o.leaf, leaf_hash = o.leaf_hash, event_id = o.event_id || '?', producer_seq = o.producer_seq, time = o.time
    FROM entries AS o WHERE e.workspace_id = o.workspace_id AND (e.index, o.index) IN ((1, 4), (4, 1))`;

  it.each<[string, string[], number, RegExp]>([
    [
      'an edited event',
      [
        `UPDATE entries SET leaf = convert_to(replace(convert_from(leaf, 'UTF8'), 'coworker', 'voice'), 'UTF8') WHERE index = 4`,
      ],
      4,
      /hash/,
    ],
    ['an edited hash', [`UPDATE entries SET leaf_hash = sha256('x') WHERE index = 2`], 2, /hash/],
    ['an edited column', [`UPDATE entries SET actor = 'user:usr_mallory' WHERE index = 6`], 6, /column actor/],
    ['an edited time', [`UPDATE entries SET time = time + interval '1 hour' WHERE index = 0`], 0, /time/],
    [
      'bytes that are no event',
      [`UPDATE entries SET leaf = 'x'::bytea, leaf_hash = sha256('\\x0078'::bytea) WHERE index = 3`],
      3,
      /cannot be read/,
    ],
    [
      'an edited event with its hash made to fit',
      [
        `UPDATE entries SET leaf = convert_to(replace(convert_from(leaf, 'UTF8'), 'coworker', 'voice'), 'UTF8') WHERE index = 4`,
        `UPDATE entries SET leaf_hash = sha256('\\x00'::bytea || leaf) WHERE index = 4`,
      ],
      3,
      /first 6 entries are not the ones that were signed/,
    ],
    ['a deleted entry', ['DELETE FROM entries WHERE index = 4'], 4, /missing/],
    ['the first deleted', ['DELETE FROM entries WHERE index = 0'], 0, /missing/],
    [
      'a deleted entry with the rest moved up',
      [
        'DELETE FROM entries WHERE index = 4',
        'UPDATE entries SET index = index - 1 WHERE index > 4',
        'UPDATE logs SET size = 6',
      ],
      3,
      /first 6 entries/,
    ],
    ['two entries swapped', [swap, `UPDATE entries SET event_id = rtrim(event_id, '?')`], 0, /first 3 entries/],
    ['a cut tail under a checkpoint', ['DELETE FROM entries WHERE index >= 4'], 4, /missing/],
    [
      'a cut tail and the size with it',
      ['DELETE FROM entries WHERE index >= 4', 'UPDATE logs SET size = 4'],
      4,
      /missing/,
    ],
    ['a cut tail in the window', ['DELETE FROM entries WHERE index = 6'], 6, /missing/],
    ['everything cut but the checkpoints', ['DELETE FROM entries', 'DELETE FROM logs'], 0, /missing/],
    [
      'an entry put in past the end',
      [
        `INSERT INTO entries SELECT workspace_id, 7, leaf, leaf_hash, 'evt_more', type, actor, on_behalf_of, conversation_id, producer, 8, time, recorded_at FROM entries WHERE index = 6`,
      ],
      7,
      /past the end/,
    ],
    [
      'a note that was edited',
      [`UPDATE checkpoints SET note = replace(note, E'\\n6\\n', E'\\n5\\n') WHERE size = 6`],
      3,
      /signature/,
    ],
    [
      'an older note in place of the newest',
      ['UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size = 3) WHERE size = 6'],
      3,
      /another log or size/,
    ],
  ])('finds %s [trail.verify]', async (_what, statements, index, problem) => {
    await signedLog();
    await tamper(...statements);
    const found = await open().verify(reader(), { deep: true });
    expect(found).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
    expect(found.firstBadIndex).toBe(index);
  });

  it('finds a log that another key signed', async () => {
    await signedLog();
    const other = createNoteSigner(generateKeyPairSync('ed25519').privateKey);
    const { entries, checkpoints, retention } = open();
    const verify = createVerifyLog({ entries, checkpoints, retention, signer: other });
    expect(await verify(reader())).toMatchObject({
      ok: false,
      firstBadIndex: 0,
      problem: expect.stringMatching(/signature/),
    });
  });

  it('leaves the hole where a new entry comes after a cut tail', async () => {
    await signedLog();
    await tamper('DELETE FROM entries WHERE index = 6');
    await recordMany({ seq: 8 });
    expect(await open().verify(reader())).toMatchObject({ ok: false, size: 8, firstBadIndex: 6 });
  });

  it('says which producer numbers never came, over all workspaces', async () => {
    await recordMany(
      { seq: 2 },
      { seq: 3, workspace: 'ws_b' },
      { seq: 5 },
      { seq: 9 },
      { seq: 1, producer: 'identity', workspace: 'ws_b' },
    );
    expect((await open().verify(reader())).gaps).toEqual([
      'Event 1 of broker never came.',
      'Event 4 of broker never came.',
      'Events 6 to 8 of broker never came.',
    ]);
  });

  it.each<[string, string[], RegExp]>([
    [
      'an entry that was changed',
      [`UPDATE entries SET leaf_hash = sha256('x') WHERE index = 6`],
      /entry 6 .* was changed/,
    ],
    ['a log with a hole', ['DELETE FROM entries WHERE index = 6'], /entry 6 is missing/],
    [
      'subtrees that were changed',
      [`UPDATE checkpoints SET peaks = sha256('x') || sha256('y') WHERE size = 6`],
      /not what was signed/,
    ],
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
    expect(await checkpoints.logsBehind(signer.fingerprint)).toEqual([]);
  });
});

describe('a log that does not verify', () => {
  it('is told to whoever must look, once for what is wrong', async () => {
    const { alerts, verify, signCheckpoint } = open();
    await recordMany(...numbered(4));
    await signCheckpoint('ws_a');
    const told = alertUnverified(verify, alerts, (error) => {
      throw error;
    });
    await told(member('usr_bob'));
    expect(await alerts.list('ws_a', 10)).toEqual([]);
    await tamper(`UPDATE entries SET leaf = leaf || ' '::bytea WHERE "index" = 2`);
    for (const _ of [1, 2]) expect((await told(member('usr_bob'))).ok).toBe(false);
    expect(await alerts.list('ws_a', 10)).toMatchObject([
      { kind: 'verify', workspaceId: 'ws_a', subject: expect.stringContaining('ws_a 2 ') },
    ]);
  });
});
