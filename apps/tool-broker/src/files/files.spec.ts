/** What a person puts among the files: untrusted until they say otherwise, theirs alone, and never where a link leads. */
import { describe, expect, it } from '@jest/globals';
import { type Talk, useBroker } from '../broker.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker();

const gateway = async <T>(work: (client: Awaited<ReturnType<typeof bed.as>>) => Promise<T>): Promise<T> => {
  const client = await bed.as('gateway');
  try {
    return await work(client);
  } finally {
    client.close();
  }
};
const put = (
  talk: Talk,
  path: string,
  text: string,
  { letsRead, expectedRevision = '' }: { letsRead?: boolean; expectedRevision?: string } = {},
) =>
  gateway((client) =>
    client.writeConversationFile(
      { conversationId: talk.conversationId, path, content: Buffer.from(text), expectedRevision, letsRead },
      bed.person(talk),
    ),
  );
const list = (talk: Talk, limit = 0, after = '') =>
  gateway((client) =>
    client.listConversationFiles(
      { conversationId: talk.conversationId, directory: '', depth: 0, limit, after },
      bed.person(talk),
    ),
  );
const get = (talk: Talk, path: string) =>
  gateway(async (client) => {
    const pieces: Buffer[] = [];
    let facts;
    for await (const { part } of client.readConversationFile(
      { conversationId: talk.conversationId, path },
      bed.person(talk),
    )) {
      if (part?.$case === 'file') facts = part.file;
      if (part?.$case === 'content') pieces.push(part.content);
    }
    return { facts, bytes: Buffer.concat(pieces) };
  });
const remove = (talk: Talk, path: string, expectedRevision = '') =>
  gateway((client) =>
    client.removeConversationFile({ conversationId: talk.conversationId, path, expectedRevision }, bed.person(talk)),
  );

describe('an uploaded file', () => {
  it('is a reference for the agent until the person lets it be read, and text from then on [upload.untrusted]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    expect((await put(talk, 'notes.txt', 'a quarantined word')).file).toMatchObject({ trust: 'untrusted' });
    const quarantined = await client.call('read_file', { path: 'notes.txt' });
    expect(quarantined.text).toContain('ref:1');
    expect(quarantined.text).not.toContain('quarantined word');
    expect((await put(talk, 'notes.txt', 'a word to be read', { letsRead: true })).file).toMatchObject({
      trust: 'trusted',
    });
    expect((await client.call('read_file', { path: 'notes.txt' })).text).toContain('a word to be read');
    expect(
      (await bed.trail(talk)).filter(({ type }) => type === 'agent.file.uploaded').map(({ data }) => data['lets_read']),
    ).toEqual([false, true]);
    expect(JSON.stringify(await bed.trail(talk))).not.toContain('notes.txt"');
  });

  it('is what the person said the last time, for each person by themselves [upload.remembered]', async () => {
    const talk = await bed.begin();
    expect((await list(talk)).letsRead).toBe(false);
    await put(talk, 'a', '1', { letsRead: true });
    expect((await put(talk, 'b', '1')).file).toMatchObject({ trust: 'trusted' });
    expect((await list(talk)).letsRead).toBe(true);
    const other = await bed.begin();
    expect((await put(other, 'b', '1')).file).toMatchObject({ trust: 'untrusted' });
    await put(talk, 'a', '1', { letsRead: false });
    expect((await put(talk, 'c', '1')).file).toMatchObject({ trust: 'untrusted' });
  });

  it('that is a picture is never vouched for, whatever they ticked [upload.picture]', async () => {
    const talk = await bed.begin();
    for (const path of ['cat.png', 'a/CAT.JPEG', 'paper.pdf']) {
      expect((await put(talk, path, 'words in a picture', { letsRead: true })).file).toMatchObject({
        trust: 'untrusted',
        quarantined: true,
      });
    }
    const client = await openClient(bed, talk);
    expect((await client.call('read_file', { path: 'cat.png' })).text).not.toContain('words in a picture');
  });

  it('goes where its name says and nowhere a link leads [upload.link]', async () => {
    const talk = await bed.begin();
    bed.sandbox.files.set(`${talk.conversationId}/AGENTS.md`, Buffer.from('rules'));
    bed.sandbox.links.set(`${talk.conversationId}/report.txt`, 'AGENTS.md');
    await expect(put(talk, 'report.txt', 'x', { letsRead: true })).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('"AGENTS.md"'),
    });
    expect(bed.sandbox.files.get(`${talk.conversationId}/AGENTS.md`)?.toString()).toBe('rules');
    for (const path of ['', '.', '../x', '/etc/passwd', 'a\u202eb', 'a\0b', `${'a/'.repeat(40)}b`, 'x'.repeat(300)])
      await expect(put(talk, path, 'x')).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('is bound to what was seen, and a refused one leaves trust as it was', async () => {
    const talk = await bed.begin();
    const { file, created } = await put(talk, 'a', '1', { letsRead: true, expectedRevision: 'absent' });
    expect(created).toBe(true);
    await expect(put(talk, 'a', '2', { expectedRevision: 'absent' })).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await put(talk, 'a', '2', { expectedRevision: file?.revision ?? '' });
    await expect(put(talk, 'a', '3', { expectedRevision: file?.revision ?? '' })).rejects.toMatchObject({
      code: 'version_conflict',
    });
    expect((await list(talk)).files).toMatchObject([{ path: 'a', trust: 'trusted', size: 1 }]);
  });
});

describe('files of a conversation', () => {
  it('come back byte by byte, also large ones, and are told with their labels page by page', async () => {
    const talk = await bed.begin();
    const large = Buffer.alloc(3 * 1024 * 1024 + 17, 'ÿ\0a');
    bed.sandbox.files.set(`${talk.conversationId}/large.bin`, large);
    await put(talk, 'a.txt', 'hello', { letsRead: true });
    const { facts, bytes } = await get(talk, 'large.bin');
    expect(bytes.equals(large)).toBe(true);
    expect(facts).toMatchObject({ size: large.length, trust: 'unmentioned', kind: 'file' });
    const { files, more } = await list(talk, 1);
    expect([files.length, more]).toEqual([1, true]);
    expect((await list(talk, 1, files[0]?.path ?? '')).more).toBe(false);
  });

  it('are taken away as they were seen, and what comes to lie there is vouched for by nobody [upload.removed]', async () => {
    const talk = await bed.begin();
    const { file } = await put(talk, 'a', 'trusted words', { letsRead: true });
    await expect(remove(talk, 'a', 'f'.repeat(16))).rejects.toMatchObject({ code: 'version_conflict' });
    await remove(talk, 'a', file?.revision ?? '');
    await expect(remove(talk, 'a')).rejects.toMatchObject({ code: 'not_found' });
    bed.sandbox.files.set(`${talk.conversationId}/a`, Buffer.from('words of somebody else'));
    const client = await openClient(bed, talk);
    expect((await client.call('read_file', { path: 'a' })).text).not.toContain('somebody else');
    expect((await bed.trail(talk)).map(({ type }) => type)).toContain('agent.file.removed');
  });

  it('are those of its own person and of nobody else [upload.owner]', async () => {
    const talk = await bed.begin();
    await put(talk, 'a', '1');
    const stranger = { ...(await bed.begin()), conversationId: talk.conversationId };
    const neighbour = { ...stranger, workspaceId: talk.workspaceId };
    for (const who of [stranger, neighbour]) {
      for (const attempt of [() => list(who), () => get(who, 'a'), () => put(who, 'a', '2'), () => remove(who, 'a')])
        await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    }
    bed.identity.roles.set(talk.userId, 'viewer');
    await expect(put(talk, 'a', '2')).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(remove(talk, 'a')).rejects.toMatchObject({ code: 'permission_denied' });
    expect((await get(talk, 'a')).bytes.toString()).toBe('1');
    bed.identity.roles.delete(talk.userId);
    const orchestrator = await bed.as('orchestrator');
    await expect(
      orchestrator.listConversationFiles(
        { conversationId: talk.conversationId, directory: '', depth: 0, limit: 0, after: '' },
        bed.person(talk),
      ),
    ).rejects.toMatchObject({ code: 'permission_denied' });
    await orchestrator.eraseConversation({ conversationId: talk.conversationId }, bed.person(talk));
    orchestrator.close();
    await expect(list(talk)).rejects.toMatchObject({ code: 'not_found' });
  });
});
