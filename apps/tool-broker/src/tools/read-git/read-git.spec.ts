/** What of a repository reaches the agent: nothing before all of its .git is vouched for, no denied file's history, and a reference where it shows a file nobody vouched for. */
import { describe, expect, it } from '@jest/globals';
import { type Layers, type Talk, useBroker } from '../../broker.fixture.ts';
import { openClient } from '../../raw-mcp-client.fixture.ts';

const bed = useBroker();
const GIT = ['HEAD', 'config', 'objects/ab/cd', 'refs/heads/main'];

const vouch = ({ conversationId }: Talk, path: string, trusted = true) =>
  bed.database.pathTrust.create({ data: { conversationId, path, trusted, writtenBy: 'spec' } });
const begin = async (layers: Layers = {}, at = '') => {
  const talk = await bed.begin('ask', layers);
  for (const name of [...GIT.map((one) => `.git/${one}`), 'a.txt', 'b.txt'])
    bed.sandbox.files.set(`${talk.conversationId}/${at}${name}`, Buffer.from('x'));
  return { talk, client: await openClient(bed, talk) };
};
const section = (text: string, ...paths: string[]) => ({ paths, text });
const answers = (...sections: ReturnType<typeof section>[]) => {
  bed.sandbox.readGit = (request) => ({ landing: request.repository, sections, notes: [], next: 0, read: [] });
};

describe('a repository', () => {
  it('is read only where the whole of its .git is vouched for [git.trusted]', async () => {
    answers(section('abc 2026-01-01 Ada the subject\n'));
    const { talk, client } = await begin();
    const unread = await client.call('read_git', { query: 'log' });
    expect(unread.text).toContain('not all of its .git is vouched for');
    await vouch(talk, '.git');
    expect((await client.call('read_git', { query: 'log' })).text).toContain('the subject');
    await vouch(talk, '.git/refs/heads/main', false);
    expect((await client.call('read_git', { query: 'log' })).text).toContain('not all of its .git is vouched for');
    expect((await client.call('read_git', { query: 'log', repository: 'nothing' })).text).toContain('holds no .git');
  });

  it('shows what is in a file nobody vouched for as a reference, also where a search read one [git.files]', async () => {
    const { talk, client } = await begin();
    await vouch(talk, '.git');
    await vouch(talk, 'a.txt');
    answers(section('commit\n'), section('+words of a\n', 'a.txt'));
    expect((await client.call('read_git', { query: 'show' })).text).toContain('words of a');
    answers(section('commit\n'), section('+words of b\n', 'b.txt'));
    const kept = await client.call('read_git', { query: 'show' });
    expect(kept.text).toContain('ref:');
    expect(kept.text).not.toContain('words of b');
    bed.sandbox.readGit = () => ({
      landing: '',
      sections: [section('HEAD:a.txt:1:words of a\n', 'a.txt')],
      notes: [],
      next: 0,
      read: ['a.txt', 'b.txt'],
    });
    const searched = await client.call('read_git', { query: 'search', pattern: 'words' });
    expect(searched.text).toContain('ref:');
    expect(searched.text).not.toContain('words of a');
  });

  it('keeps the history of a file that a rule denies [git.denied]', async () => {
    const { talk, client } = await begin({ user: { permissions: { deny: ['Read(b.txt)'] } } });
    await vouch(talk, '.git');
    await vouch(talk, 'a.txt');
    await vouch(talk, 'b.txt');
    answers(section('commit\n'), section('+words of a\n', 'a.txt'), section('+words of b\n', 'b.txt'));
    const shown = await client.call('read_git', { query: 'show' });
    expect(shown.text).toContain('words of a');
    expect(shown.text).toContain('1 part is left out');
    expect(shown.text).not.toContain('words of b');
    for (const named of [
      { query: 'show', revision: 'HEAD:b.txt' },
      { query: 'show', revision: 'HEAD:./b.txt' },
      { query: 'log', path: 'b.txt' },
    ])
      expect((await client.call('read_git', named)).text).toContain('denies reading there');
    const closed = await begin({ user: { permissions: { deny: ['Read(.git/config)'] } } });
    await vouch(closed.talk, '.git');
    expect((await closed.client.call('read_git', { query: 'log' })).text).toContain('denies reading there');
  });

  it('has a status only where every file is vouched for', async () => {
    const { talk, client } = await begin({}, 'app/');
    await vouch(talk, 'app/.git');
    answers(section(' M a.txt\n', 'a.txt'));
    expect((await client.call('read_git', { query: 'status', repository: 'app' })).text).toContain(
      'status is not told',
    );
    await vouch(talk, 'app/a.txt');
    await vouch(talk, 'app/b.txt');
    expect((await client.call('read_git', { query: 'status', repository: 'app' })).text).toContain(' M a.txt');
  });

  it('says what a query does not take, and how to go on', async () => {
    const { talk, client } = await begin();
    await vouch(talk, '.git');
    bed.sandbox.readGit = () => ({
      landing: '',
      sections: [section('line\n')],
      notes: ['A note.'],
      next: 40,
      read: [],
    });
    const page = await client.call('read_git', { query: 'log', count: 500 });
    expect(page.text).toContain('go on with skip 40');
    expect(page.text).toContain('A note.');
    for (const [given, said] of [
      [{ query: 'search' }, '"pattern" is missing'],
      [{ query: 'diff' }, '"revision" is missing'],
      [{ query: 'log', pattern: 'x' }, '"pattern" is not taken by log'],
      [{ query: 'status', revision: 'HEAD' }, '"revision" is not taken by status'],
      [{ query: 'blame' }, 'query'],
      [{ query: 'log', since: 'yesterday' }, 'since'],
    ] as const)
      expect((await client.call('read_git', given)).text).toContain(said);
  });
});
