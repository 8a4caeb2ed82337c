/** A repository that git made is uploaded by its person and read by whoever sits in the pod, through the sandbox: what git says, nothing that it configures. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PodSeat } from '../hostile/support/pod-seat.ts';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform();

describe('a repository among the files', () => {
  it('is read as git reads it once its person vouched for it, and its traps stay shut [git.trusted] [git.runs-nothing]', async () => {
    const { platform, alice } = stage;
    const folder = mkdtempSync(path.join(tmpdir(), 'bravo-read-git-'));
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' } });
    try {
      git('init', '-q', '-b', 'main', '--template=');
      for (const [name, words] of [['notes.txt', 'one quokka\n'], ['notes.txt', 'two quokkas\n']] as const) {
        writeFileSync(path.join(folder, name), words);
        git('add', '-A');
        git('commit', '-q', '-m', `It says ${words.trim()}`);
      }
      git('tag', 'v1');
      git('gc', '-q', '--prune=now');
      const expected = git('log', '--abbrev=10', '--date=short', '--format=%h %ad %an %s');
      const expectedDiff = git('diff', '--abbrev=10', 'HEAD~1', 'HEAD');
      git('config', 'core.fsmonitor', 'touch ran');
      git('config', 'diff.external', 'touch ran');

      const attached = await platform.attach('alice');
      const seat = new PodSeat(attached);
      const put = async (name: string, letsRead: boolean): Promise<void> => {
        const response = await fetch(`${alice.base}/api/v1/${alice.workspace}/bravo/conversations/${seat.conversation}/files/${name}?lets_read=${letsRead}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/octet-stream' },
          body: new Uint8Array(readFileSync(path.join(folder, name))),
        });
        expect(response.status).toBe(200);
      };
      const files = (readdirSync(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .filter((name) => /^(\.git\/(HEAD|config|index|packed-refs|refs\/|objects\/)|notes)/.test(name));
      expect(files.length).toBeGreaterThan(5);
      for (const name of files) await put(name, !name.endsWith('.pack'));
      expect((await seat.call('read_git', { query: 'log' })).out).toContain('not all of its .git is vouched for');
      for (const name of files.filter((one) => one.endsWith('.pack'))) await put(name, true);

      expect((await seat.call('read_git', { query: 'log' })).out).toContain(expected.trim());
      expect((await seat.call('read_git', { query: 'diff', revision: 'HEAD~1..HEAD' })).out).toContain(expectedDiff.trim());
      expect((await seat.call('read_git', { query: 'tags' })).out).toContain('v1');
      expect((await seat.call('read_git', { query: 'status' })).out).toContain('Nothing differs from HEAD.');
      expect((await seat.call('read_git', { query: 'search', pattern: 'two' })).out).toContain('HEAD:notes.txt:1:two quokkas');
      expect((await seat.call('read_git', { query: 'show', revision: 'nothing' })).out).toContain('There is no revision "nothing"');
      // Its history is as much the file as the file is.
      await put('notes.txt', false);
      const kept = (await seat.call('read_git', { query: 'show', revision: 'HEAD:notes.txt' })).out;
      expect(kept).toContain('ref:');
      expect(kept).not.toContain('quokkas');
      expect(existsSync(path.join(folder, 'ran'))).toBe(false);
      const { files: listed } = (await alice.get(`/bravo/conversations/${seat.conversation}/files`)) as { files: { path: string }[] };
      expect(listed.map((file) => file.path)).not.toContain('ran');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 240_000);
});
