/** Edits and what is drawn of them, through the whole broker. */
import { describe, expect, it } from '@jest/globals';
import type { Preview } from '@bravo/policy';
import { useBroker, type Talk } from '../../broker.fixture.ts';
import { openClient } from '../../raw-mcp-client.fixture.ts';
import { waitUntil } from '@bravo/testing';

const bed = useBroker();

const put = async (talk: Talk, path: string, content: string, trusted = true): Promise<void> => {
  bed.sandbox.files.set(`${talk.conversationId}/${path}`, Buffer.from(content));
  if (!trusted) return;
  const { conversationId } = talk;
  await bed.database.pathTrust.create({ data: { conversationId, path, trusted, writtenBy: 'spec' } });
};
const contentOf = (talk: Talk, path: string) => bed.sandbox.files.get(`${talk.conversationId}/${path}`)?.toString();

const pending = async (talk: Talk) => {
  await waitUntil('the question', async () => (await open(talk)).length === 1);
  return (await open(talk))[0]!;
};
const open = ({ conversationId }: Talk) =>
  bed.database.approval.findMany({ where: { conversationId, status: 'pending' } });

const previewOf = async (talk: Talk): Promise<Preview> => {
  const { toolCallId, conversationId } = await pending(talk);
  const gateway = await bed.as('gateway');
  const { previewJson } = await gateway.getPreview({ conversationId, toolCallId }, bed.person(talk));
  gateway.close();
  return JSON.parse(previewJson) as Preview;
};
const answer = async (talk: Talk, decision: 'approve' | 'deny'): Promise<void> => {
  const { toolCallId, conversationId } = await pending(talk);
  const gateway = await bed.as('gateway');
  await gateway.resolveApproval({ conversationId, toolCallId, decision, trustOutput: false }, bed.person(talk));
  gateway.close();
};

describe('edit_file', () => {
  it('shows the person the change, and makes exactly that one [edit.exact] [preview.honest]', async () => {
    const talk = await bed.begin();
    await put(talk, 'a.txt', 'one\ntwo\nthree\n');
    const client = await openClient(bed, talk);
    const call = client.call('edit_file', { path: 'a.txt', old_text: 'two', new_text: '2\u202e', why: 'w' });
    const preview = await previewOf(talk);
    expect(preview).toMatchObject({ added: 1, removed: 1, symbols: 1 });
    expect(preview.rows.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      ...['value a.txt', 'heading change: 1 line added, 1 removed, in 1 place', 'value a.txt', 'hunk at line 1'],
      ...['same one', 'removed two', 'added 2‹U+202E›', 'same three'],
    ]);
    expect(contentOf(talk, 'a.txt')).toContain('two');
    await answer(talk, 'approve');
    expect(await call).toMatchObject({ isError: false, text: expect.stringMatching(/1 passage replaced/) });
    expect(contentOf(talk, 'a.txt')).toBe('one\n2\u202e\nthree\n');
    expect(await bed.database.pathTrust.findFirst({ where: { conversationId: talk.conversationId } })).toMatchObject({
      trusted: true,
    });
  });

  it('asks nobody about a passage that is missing or there twice, and says why [edit.exact]', async () => {
    const talk = await bed.begin();
    await put(talk, 'a.txt', 'one one');
    const client = await openClient(bed, talk);
    for (const [old_text, said] of [
      ['two', /not in the file/],
      ['one', /2 times/],
    ] as const) {
      const refused = await client.call('edit_file', { path: 'a.txt', old_text, new_text: 'x' });
      expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(said) });
      expect(refused.text.length).toBeLessThan(500);
    }
    expect(await open(talk)).toEqual([]);
    expect(
      (await bed.trail(talk)).filter(({ type }) => type === 'agent.tool.decided').map(({ data }) => data['effect']),
    ).toEqual(['deny', 'deny']);
  });

  it.each([
    ['nobody vouched for', false],
    ['marked untrusted', true],
  ])('refuses a file %s, because what stands in it would decide [edit.trusted]', async (_, marked) => {
    const talk = await bed.begin();
    await put(talk, 'a.txt', 'one', false);
    const { conversationId } = talk;
    if (marked)
      await bed.database.pathTrust.create({ data: { conversationId, path: 'a.txt', trusted: false, writtenBy: 's' } });
    const client = await openClient(bed, talk);
    const refused = await client.call('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'two' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/vouched for.*spawn_processor/s) });
    expect(contentOf(talk, 'a.txt')).toBe('one');
    expect(await open(talk)).toEqual([]);
  });

  it('is not made of a file that changed after it was shown', async () => {
    const talk = await bed.begin();
    await put(talk, 'a.txt', 'one');
    const client = await openClient(bed, talk);
    const call = client.call('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'two' });
    await pending(talk);
    bed.sandbox.files.set(`${talk.conversationId}/a.txt`, Buffer.from('one more'));
    await answer(talk, 'approve');
    expect(await call).toMatchObject({ isError: true, text: expect.stringMatching(/changed/) });
    expect(contentOf(talk, 'a.txt')).toBe('one more');
  });
});

describe('what was drawn', () => {
  it('is a diff also of a write, and is shown to nobody else and not after the end [preview.owner]', async () => {
    const talk = await bed.begin();
    await put(talk, 'b.txt', 'old\n', false);
    const client = await openClient(bed, talk);
    const call = client.call('write_file', { path: 'b.txt', contents: 'new\n' });
    expect((await previewOf(talk)).rows.map(({ kind, text }) => `${kind} ${text}`)).toEqual(
      expect.arrayContaining(['removed old', 'added new']),
    );
    const { toolCallId, conversationId, preview } = await pending(talk);
    expect(Buffer.from(preview!).includes('old')).toBe(false);
    const stranger = await bed.begin();
    const gateway = await bed.as('gateway');
    for (const [who, where] of [
      [stranger, conversationId],
      [talk, stranger.conversationId],
    ] as const)
      await expect(gateway.getPreview({ conversationId: where, toolCallId }, bed.person(who))).rejects.toMatchObject({
        code: 'not_found',
      });
    await answer(talk, 'deny');
    await call;
    const orchestrator = await bed.as('orchestrator');
    await orchestrator.eraseConversation({ conversationId }, bed.person(talk));
    await expect(gateway.getPreview({ conversationId, toolCallId }, bed.person(talk))).rejects.toMatchObject({
      code: 'not_found',
    });
    gateway.close();
    orchestrator.close();
  });
});

describe('a reference to a file name', () => {
  it('reads and writes the file that only the person sees by name [quarantine.reference] [quarantine.at-rest]', async () => {
    const talk = await bed.begin();
    await put(talk, 'secret name.txt', 'words of a stranger', false);
    const client = await openClient(bed, talk);
    const listed = await client.call('list_files', {});
    expect(listed.text).toMatch(/ref:1 - name of a file/);
    const read = await client.call('read_file', { path_ref: 'ref:1' });
    expect(read.text).toMatch(/ref:2 - file of the workspace/);
    expect(listed.text + read.text).not.toMatch(/secret name|stranger/);
    const rows = await bed.database.slot.findMany({ where: { conversationId: talk.conversationId } });
    expect(rows).toHaveLength(2);
    for (const { content } of rows) expect(Buffer.from(content).toString('latin1')).not.toMatch(/secret name|stranger/);
    const call = client.call('write_file', { path_ref: 'ref:1', contents: 'mine' });
    const { rows: drawn } = await previewOf(talk);
    expect(drawn).toContainEqual({ kind: 'value', name: 'path_ref leads to', text: 'secret name.txt' });
    expect((await pending(talk)).asks).toContain('write_through_reference');
    await answer(talk, 'approve');
    const written = await call;
    expect(written.text).toMatch(/Replaced the file/);
    expect(written.text).not.toContain('secret name');
    expect(contentOf(talk, 'secret name.txt')).toBe('mine');
    const wrong = await client.call('read_file', { path_ref: 'ref:2' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringMatching(/no name of a file/) });
  });
});
