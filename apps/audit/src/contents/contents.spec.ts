/** Sealed content on a real Postgres: opened on record, and by nobody once its person is erased, while the log still verifies. */
import { sealContent } from '@bravo/events/sealing/seal-content';
import { member, reader, useTrail } from '../trail/trail.fixture.ts';
import { createContents } from './contents.ts';
import { createKeyWrapper } from './wrap-key.ts';

const trail = useTrail();
const wrapper = createKeyWrapper(new Uint8Array(32).fill(7));
const contents = () => {
  const { entries, keys, tellOwnEvent } = trail.open();
  return createContents({ entries, keys, wrapper, tell: tellOwnEvent });
};
const admin = (over = {}) => reader({ permissions: ['view_content', 'audit_read', 'manage_members'], ...over });
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A call of bob's: its input in one piece, its output in two, the second first. */
const recordCall = async () => {
  const { keyId, publicJwk } = await contents().sealingKey('ws_a', 'usr_bob');
  const seal = (text: string) => sealContent(base64(text), publicJwk, keyId);
  const common = { actor: 'bravo:usr_bob', onbehalfof: 'usr_bob' } as const;
  const about = { tool_call_id: 'tc_1', tool: 'execute_script' };
  const piece = async (at: number, text: string) => ({
    ...about,
    of: 'output',
    piece: at,
    pieces: 2,
    sealed: { key_id: keyId, jwe: await seal(text) },
  });
  await trail.recordMany(
    {
      seq: 1,
      ...common,
      type: 'agent.tool.requested',
      data: { ...about, sealed: { key_id: keyId, jwe: await seal('{"arguments":{"code":"rhubarb"}}') } },
    },
    { seq: 2, ...common, type: 'agent.tool.content_sealed', data: await piece(1, 'mber"}') },
    { seq: 3, ...common, type: 'agent.tool.content_sealed', data: await piece(0, '{"text":"cucu') },
    { seq: 4, ...common, type: 'agent.tool.executed', data: { ...about, sealed: { key_id: keyId, pieces: 2 } } },
  );
  await trail.open().signCheckpoint('ws_a');
  return keyId;
};

describe('sealed content', () => {
  it('is opened whole by whoever may, which is on record; nobody else opens it [trail.sealed]', async () => {
    await recordCall();
    expect(await contents().open(reader(), 'tc_1')).toEqual({
      input: '{"arguments":{"code":"rhubarb"}}',
      output: '{"text":"cucumber"}',
      erased: false,
    });
    expect((await trail.rowsOf('outbox')).map(({ subject }) => subject)).toEqual(['agent.trail.content_opened.ws_a']);
    await expect(contents().open(member('usr_bob'), 'tc_1')).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(contents().open(reader({ workspaceId: 'ws_b' }), 'tc_1')).rejects.toMatchObject({ code: 'not_found' });
    const listed = JSON.stringify(
      (await trail.open().list(reader(), { order: 'asc', limit: 0, cursor: '' })).entries.map(({ bytes }) =>
        Buffer.from(bytes).toString(),
      ),
    );
    expect(listed).not.toMatch(/rhubarb|cucumber/);
  });

  it('is gone for good with the keys of its person; the log verifies and the erasure is a row [trail.sealed]', async () => {
    const keyId = await recordCall();
    await expect(contents().erase(reader(), 'usr_bob', 'no')).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await contents().erase(admin(), 'usr_bob', 'asked')).toBe(1);
    expect(await contents().erase(admin(), 'usr_bob', 'asked again')).toBe(0);
    expect(await contents().open(reader(), 'tc_1')).toEqual({ input: '', output: '', erased: true });
    expect(await trail.rowsOf('person_keys')).toMatchObject([{ key_id: keyId, wrapped_key: null }]);
    expect(await trail.open().verify(reader(), { deep: true })).toMatchObject({ ok: true, size: 4 });
    expect((await trail.rowsOf('outbox')).map(({ subject }) => String(subject))).toContain('agent.person.erased.ws_a');
    expect((await contents().sealingKey('ws_a', 'usr_bob')).keyId).not.toBe(keyId);
  });

  it.each([
    "UPDATE person_keys SET wrapped_key = 'x', erased_at = now()",
    'DELETE FROM person_keys',
    'UPDATE person_keys SET wrapped_key = NULL',
  ])('keys are destroyed and nothing else: %s', async (statement) => {
    await contents().sealingKey('ws_a', 'usr_bob');
    await expect(trail.asApp(statement)).rejects.toThrow(/only ever destroyed|permission denied/);
  });

  it('is opened by no key of another person, row or machine', async () => {
    const wrapped = wrapper.wrap('secret', 'ws_a usr_bob key_1');
    expect(wrapper.unwrap(wrapped, 'ws_a usr_bob key_1')).toBe('secret');
    expect(() => wrapper.unwrap(wrapped, 'ws_a usr_eve key_1')).toThrow();
    expect(() => createKeyWrapper(new Uint8Array(32)).unwrap(wrapped, 'ws_a usr_bob key_1')).toThrow();
  });
});
