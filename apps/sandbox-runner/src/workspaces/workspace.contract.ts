/** What every Workspaces adapter must do, hostile paths first. */
import { describe, expect, it } from '@jest/globals';
import { WORKSPACE_LIMITS, type WriteConditions } from '@bravo/workspace-files';
import type { WorkspaceKey, Workspaces } from './workspace.port.ts';

export const ANYTHING: WriteConditions = { expectedRevision: '', expectedLanding: '', operationId: '' };
const text = (content: Uint8Array) => Buffer.from(content).toString('utf8');

let counter = 0;
export const newKey = (workspaceId = 'ws_acme'): WorkspaceKey => {
  counter += 1;
  return { workspaceId, conversationId: `cnv_${process.pid}x${counter}` };
};

export const describeWorkspaces = (open: () => Workspaces): void => {
  const write = (key: WorkspaceKey, path: string, content: string, conditions: Partial<WriteConditions> = {}) =>
    open().write(key, path, Buffer.from(content), { ...ANYTHING, ...conditions });

  describe('reading and writing', () => {
    it('gives back what was written, with facts that agree', async () => {
      const key = newKey();
      const written = await write(key, './notes//a.txt', 'hello');
      expect(written).toMatchObject({ created: true, facts: { landing: 'notes/a.txt', kind: 'file', size: 5 } });
      const read = await open().read(key, 'notes/a.txt', 1000);
      expect(text(read.content)).toBe('hello');
      expect(read).toMatchObject({ size: 5, truncated: false, facts: written.facts });
      expect(await open().stat(key, 'notes/a.txt')).toEqual(written.facts);
    });

    it('changes the revision with every write, also of the same bytes', async () => {
      const key = newKey();
      const revisions = new Set<string>();
      for (let n = 0; n < 20; n += 1) revisions.add((await write(key, 'a', 'same')).facts.revision);
      expect(revisions.size).toBe(20);
    });

    it('cuts a read at the bytes asked for and says so', async () => {
      const key = newKey();
      await write(key, 'a', 'hello');
      const read = await open().read(key, 'a', 2);
      expect([text(read.content), read.size, read.truncated]).toEqual(['he', 5, true]);
    });

    it('knows nothing of what was never written', async () => {
      const key = newKey();
      expect(await open().stat(key, 'a/b')).toEqual({
        landing: 'a/b',
        revision: '',
        exists: false,
        size: 0,
        kind: 'missing',
        caseFolding: false,
      });
      expect(await open().list(key, '', 1, 10)).toEqual({ landing: '', entries: [], truncated: false });
      await expect(open().read(key, 'a', 10)).rejects.toMatchObject({ code: 'not_found' });
      await expect(open().list(key, 'a', 1, 10)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('writes only over the revision that was seen', async () => {
      const key = newKey();
      const first = await write(key, 'a', '1', { expectedRevision: 'absent' });
      await expect(write(key, 'a', '2', { expectedRevision: 'absent' })).rejects.toMatchObject({
        code: 'version_conflict',
      });
      const second = await write(key, 'a', '2', { expectedRevision: first.facts.revision });
      expect(second.created).toBe(false);
      await expect(write(key, 'a', '3', { expectedRevision: first.facts.revision })).rejects.toMatchObject({
        code: 'version_conflict',
      });
      expect(text((await open().read(key, 'a', 10)).content)).toBe('2');
    });

    it('lets exactly one of many writers that saw the same win', async () => {
      const key = newKey();
      const seen = (await write(key, 'a', '0')).facts.revision;
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) => write(key, 'a', `w${n}`, { expectedRevision: seen })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('answers a repeated operation with its first result and writes nothing', async () => {
      const key = newKey();
      const first = await write(key, 'a', '1', { operationId: 'op_1', expectedRevision: 'absent' });
      await write(key, 'a', '2');
      expect(await write(key, 'a', '1', { operationId: 'op_1', expectedRevision: 'absent' })).toEqual(first);
      expect(text((await open().read(key, 'a', 10)).content)).toBe('2');
      await expect(write(key, 'b', '1', { operationId: 'op_1' })).rejects.toMatchObject({ code: 'conflict' });
    });

    it('refuses to write over a directory or through a file', async () => {
      const key = newKey();
      await write(key, 'dir/a', '1');
      await expect(write(key, 'dir', '1')).rejects.toMatchObject({ code: 'conflict' });
      await expect(write(key, 'dir/a/b', '1')).rejects.toMatchObject({ code: 'conflict' });
      expect(await open().stat(key, 'dir/a/b')).toMatchObject({ exists: false });
      expect(await open().stat(key, 'dir')).toMatchObject({ kind: 'directory', exists: true });
    });

    it('holds the limit of bytes, also over many files [workspace.limits]', async () => {
      const key = newKey();
      const half = Buffer.alloc(WORKSPACE_LIMITS.bytes / 2 + 1);
      await open().write(key, 'a', half, ANYTHING);
      await expect(open().write(key, 'b', half, ANYTHING)).rejects.toMatchObject({ code: 'resource_exhausted' });
      await open().write(key, 'a', Buffer.alloc(10), ANYTHING);
      await open().write(key, 'b', half, ANYTHING);
    });
  });

  describe('paths', () => {
    it.each([
      ['climbs', '../x'],
      ['climbs in the middle', 'a/../../x'],
      ['climbs within', 'a/../b'],
      ['is absolute', '/etc/passwd'],
      ['holds NUL', 'a\0b'],
      ['holds a newline', 'a\nb'],
      ['holds a text direction override', 'a\u202eb'],
      ['is no Unicode', 'a\ud800'],
      ['has a long name', 'x'.repeat(256)],
      ['is deep', 'a/'.repeat(40)],
    ])('that %s is refused everywhere', async (_, path) => {
      const key = newKey();
      const refused = { code: 'invalid_argument' };
      await expect(write(key, path, 'x')).rejects.toMatchObject(refused);
      await expect(open().read(key, path, 10)).rejects.toMatchObject(refused);
      await expect(open().list(key, path, 1, 10)).rejects.toMatchObject(refused);
      await expect(open().stat(key, path)).rejects.toMatchObject(refused);
    });

    it.each(['..a', 'a..', '-rf', 'ü ñ 日本', '__proto__', 'C:\\x', '$(reboot)', '~'])(
      '%j is an ordinary name',
      async (path) => {
        const key = newKey();
        await write(key, path, 'x');
        expect((await open().list(key, '', 1, 10)).entries).toEqual([{ path, kind: 'file', size: 1, landing: '' }]);
      },
    );
  });

  describe('listing', () => {
    it('goes as deep as asked, in order, and says when it was cut', async () => {
      const key = newKey();
      for (const path of ['b', 'a/x', 'a/y/z', 'c']) await write(key, path, 'x');
      const paths = async (...args: [string, number, number]) =>
        (await open().list(key, ...args)).entries.map(({ path }) => path);
      expect(await paths('', 1, 10)).toEqual(['a', 'b', 'c']);
      expect(await paths('', 2, 10)).toEqual(['a', 'a/x', 'a/y', 'b', 'c']);
      expect(await paths('a', 5, 10)).toEqual(['a/x', 'a/y', 'a/y/z']);
      expect(await open().list(key, '', 3, 2)).toMatchObject({
        truncated: true,
        entries: [{ path: 'a' }, { path: 'a/x' }],
      });
    });
  });

  describe('tenancy', () => {
    it("does not find another workspace's conversation", async () => {
      const key = newKey();
      await write(key, 'a', 'secret');
      const foreign = { ...key, workspaceId: 'ws_globex' };
      const hidden = { code: 'not_found' };
      await expect(open().read(foreign, 'a', 10)).rejects.toMatchObject(hidden);
      await expect(open().list(foreign, '', 1, 10)).rejects.toMatchObject(hidden);
      await expect(open().stat(foreign, 'a')).rejects.toMatchObject(hidden);
      await expect(write(foreign, 'a', 'x')).rejects.toMatchObject(hidden);
      await expect(open().erase(foreign)).rejects.toMatchObject(hidden);
      expect(text((await open().read(key, 'a', 10)).content)).toBe('secret');
    });

    it.each(['', '..', 'a/b', '.new-x', 'a\0'])('refuses %j as a conversation or workspace', async (id) => {
      await expect(open().stat({ workspaceId: 'ws_a', conversationId: id }, 'a')).rejects.toMatchObject({
        code: 'invalid_argument',
      });
      await expect(open().stat({ workspaceId: id, conversationId: 'cnv_a' }, 'a')).rejects.toMatchObject({
        code: 'permission_denied',
      });
    });

    it('erases for good, and again', async () => {
      const key = newKey();
      await write(key, 'a/b', 'x');
      await open().erase(key);
      await open().erase(key);
      expect(await open().stat(key, 'a/b')).toMatchObject({ exists: false });
      expect((await write(key, 'a/b', 'y')).created).toBe(true);
    });
  });
};
