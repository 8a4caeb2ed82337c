/** A new signing key: what the old one signed stays readable, and what only the old one signs proves nothing any more. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { numbered, reader, useTrail } from '../trail/trail.fixture.ts';
import { createVerifyLog } from '../trail/verify-log.ts';
import { createSignCheckpoint } from './sign-checkpoint.ts';
import { createNoteSigner, type NoteSigner } from './signed-note.ts';

const { open, recordMany, tamper } = useTrail();
const oldKey = generateKeyPairSync('ed25519').privateKey;
const newKey = generateKeyPairSync('ed25519').privateKey;
const before = createNoteSigner(oldKey);
const overlapping = createNoteSigner(newKey, { overlapping: [oldKey] });
const after = createNoteSigner(newKey, { retired: [createPublicKey(oldKey)] });

const signWith = (signer: NoteSigner) => createSignCheckpoint({ ...open(), signer })('ws_a');
const verifyWith = (signer: NoteSigner) => createVerifyLog({ ...open(), signer })(reader());

describe('rotating the signing key', () => {
  it('goes on from what the old key signed, and both sign while they overlap', async () => {
    await recordMany(...numbered(3));
    await signWith(before);
    await recordMany({ seq: 4 });
    const note = (await signWith(overlapping))?.note ?? '';
    for (const signer of [before, overlapping, after])
      expect(signer.open('bravo/ws_a', note)).toMatch(/^bravo\/ws_a\n4\n/);
    expect(await verifyWith(overlapping)).toMatchObject({ ok: true, size: 4 });
    expect(await verifyWith(after)).toMatchObject({ ok: true, size: 4 });
    expect(overlapping.verifierKeys('bravo/ws_a')).toHaveLength(2);
  });

  it('signs a size again that only the old key had signed, once', async () => {
    await recordMany(...numbered(3));
    await signWith(before);
    expect(await open().checkpoints.logsBehind(after.fingerprint)).toEqual(['ws_a']);
    expect((await signWith(after))?.size).toBe(3);
    expect(await signWith(after)).toBeUndefined();
    expect(await open().checkpoints.logsBehind(after.fingerprint)).toEqual([]);
    expect((await open().checkpoints.all('ws_a')).map(({ size }) => size)).toEqual([3, 3]);
    expect(await verifyWith(after)).toMatchObject({ ok: true, size: 3 });
  });

  it('finds a log that was rebuilt and signed with the stolen old key', async () => {
    await recordMany(...numbered(5));
    await signWith(before);
    await signWith(after);
    await tamper('TRUNCATE entries, logs, checkpoints, nodes');
    await recordMany(...numbered(5, { actor: 'user:usr_mallory' }));
    await signWith(before);
    expect(await verifyWith(after)).toMatchObject({
      ok: false,
      firstBadIndex: 5,
      problem: 'The newest checkpoint, of 5 entries, is signed with a retired key alone.',
    });
  });
});
