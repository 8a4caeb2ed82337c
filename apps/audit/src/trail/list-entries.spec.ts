import type { ListEntriesQuery } from './list-entries.ts';
import { member, numbered, query, reader, useTrail } from './trail.fixture.ts';

const { open, recordMany } = useTrail();

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
    const indexes = async (over: Partial<ListEntriesQuery>) =>
      (await open().list(reader(), query(over))).entries.map(({ index }) => index);
    expect(await indexes({ conversationId: 'cnv_2' })).toEqual([1]);
    expect(await indexes({ actor: 'service:broker' })).toEqual([2]);
    expect(await indexes({ type: 'agent.conversation.ended' })).toEqual([3]);
    expect(await indexes({ from: new Date('2026-11-30T12:00:02Z'), to: new Date('2026-11-30T12:00:04Z') })).toEqual([
      1, 2,
    ]);
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

  it.each([
    [{ cursor: 'zzz' }],
    [{ cursor: Buffer.from('desc:1').toString('base64url') }],
    [{ order: 'up' }],
    [{ limit: -1 }],
  ])('refuses %j', async (over) => {
    await expect(open().list(reader(), query(over))).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});
