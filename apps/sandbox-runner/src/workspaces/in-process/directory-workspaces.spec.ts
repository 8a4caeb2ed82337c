import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ANYTHING, describeWorkspaces, newKey } from '../workspace.contract.ts';
import type { WorkspaceKey } from '../workspace.port.ts';
import { DirectoryWorkspaces } from './directory-workspaces.ts';

let base: string;
let root: string;
let workspaces: DirectoryWorkspaces;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'bravo-workspaces-'));
  root = join(base, 'workspaces');
  writeFileSync(join(base, 'secret'), 'host secret');
  workspaces = await DirectoryWorkspaces.open(root);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('workspaces as directories [workspace.confined]', () => describeWorkspaces(() => workspaces));

describe('links that somebody planted [workspace.confined]', () => {
  const planted = async (link: string, target: string): Promise<WorkspaceKey> => {
    const key = newKey();
    await workspaces.write(key, 'real/a', Buffer.from('x'), ANYTHING);
    symlinkSync(target, join(root, key.conversationId, 'files', link));
    return key;
  };

  it.each([
    ['to a host file', 'l', 'l', () => join(base, 'secret')],
    ['to a host directory', 'l', 'l/secret', () => base],
    ['within the workspace', 'l', 'l/a', () => 'real'],
    ['to itself', 'l', 'l', () => 'l'],
  ])('%s are not followed', async (_, link, path, target) => {
    const key = await planted(link, target());
    const refused = { code: 'invalid_argument' };
    await expect(workspaces.read(key, path, 100)).rejects.toMatchObject(refused);
    await expect(workspaces.stat(key, path)).rejects.toMatchObject(refused);
    await expect(workspaces.write(key, path, Buffer.from('y'), ANYTHING)).rejects.toMatchObject(refused);
    await expect(workspaces.list(key, link, 2, 100)).rejects.toMatchObject(refused);
    const { entries } = await workspaces.list(key, '', 5, 100);
    expect(entries.map(({ path: each, kind }) => `${kind} ${each}`)).toEqual([
      'link l',
      'directory real',
      'file real/a',
    ]);
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('host secret');
    await workspaces.erase(key);
    expect(existsSync(join(base, 'secret'))).toBe(true);
  });

  it('never let a directory that is swapped under a walk lead outside', async () => {
    const key = await planted('unused', 'real');
    const files = join(root, key.conversationId, 'files');
    mkdirSync(join(base, 'outside'));
    writeFileSync(join(base, 'outside', 'a'), 'host secret');
    const real = join(files, 'real');
    const swap = (put: () => void): void => {
      for (;;) {
        rmSync(real, { recursive: true, force: true });
        try {
          return put();
        } catch (error) {
          if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
        }
      }
    };
    let swapping = true;
    const swapper = (async () => {
      for (let n = 0; swapping; n += 1) {
        renameSync(real, join(base, `kept${n}`));
        // A writer may have made the directory afresh in between; it gives way.
        swap(() => symlinkSync(join(base, 'outside'), real));
        await new Promise(setImmediate);
        swap(() => renameSync(join(base, `kept${n}`), real));
        await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    for (let n = 0; n < 300; n += 1) {
      const read = await workspaces.read(key, 'real/a', 100).then(
        ({ content }) => Buffer.from(content).toString('utf8'),
        (error: { code: string }) => error.code,
      );
      seen.add(read);
      await workspaces.write(key, 'real/b', Buffer.from('mine'), ANYTHING).catch(() => undefined);
    }
    swapping = false;
    await swapper;
    expect([...seen]).not.toContain('host secret');
    expect(readdirSync(join(base, 'outside'))).toEqual(['a']);
  });
});

describe('a crash', () => {
  it('between staging and moving is made good by the same operation', async () => {
    const key = newKey();
    const operation = { expectedRevision: '', operationId: 'op_crash' };
    const first = await workspaces.write(key, 'a', Buffer.from('x'), operation);
    const directory = join(root, key.conversationId);
    const [record] = readdirSync(join(directory, 'operations'));
    renameSync(join(directory, 'files', 'a'), join(directory, 'staging', String(record)));
    const again = await (await DirectoryWorkspaces.open(root)).write(key, 'a', Buffer.from('x'), operation);
    expect(again.created).toBe(true);
    expect(again.facts.revision).not.toBe(first.facts.revision);
    expect(readdirSync(join(directory, 'staging'))).toEqual([]);
  });

  const crashedBeforeTheMove = async (content: string) => {
    const key = newKey();
    const operation = { expectedRevision: '', operationId: 'op_crash' };
    await workspaces.write(key, 'a', Buffer.from('older'), ANYTHING);
    const first = await workspaces.write(key, 'a', Buffer.from(content), operation);
    const directory = join(root, key.conversationId);
    const [record = ''] = readdirSync(join(directory, 'operations')).filter((name) => !name.endsWith('.new'));
    const staged = join(directory, 'staging', record);
    renameSync(join(directory, 'files', 'a'), staged);
    writeFileSync(join(directory, 'files', 'a'), 'older');
    const repeat = async () => (await DirectoryWorkspaces.open(root)).write(key, 'a', Buffer.from(content), operation);
    return { directory, staged, first, repeat, written: () => readFileSync(join(directory, 'files', 'a'), 'utf8') };
  };

  it('and another one while that is made good never pass for a write that happened', async () => {
    const { staged, repeat, written } = await crashedBeforeTheMove('newer');
    // A directory in its way: the repetition breaks off where it clears what is staged.
    rmSync(staged);
    mkdirSync(staged);
    await expect(repeat()).rejects.toThrow();
    rmSync(staged, { recursive: true });
    expect(written()).toBe('older');
    expect(await repeat()).toMatchObject({ created: false, facts: { exists: true, size: 5 } });
    expect(written()).toBe('newer');
  });

  it('that left a record and neither content nor file is a write that did not happen', async () => {
    const { directory, staged, repeat, written } = await crashedBeforeTheMove('newer');
    rmSync(staged);
    rmSync(join(directory, 'files', 'a'));
    expect(await repeat()).toMatchObject({ created: true });
    expect(written()).toBe('newer');
  });

  it('is no answer while the staged content cannot be looked at', async () => {
    const { directory, repeat, written } = await crashedBeforeTheMove('newer');
    renameSync(join(directory, 'staging'), join(directory, 'away'));
    writeFileSync(join(directory, 'staging'), '');
    await expect(repeat()).rejects.toMatchObject({ code: 'ENOTDIR' });
    rmSync(join(directory, 'staging'));
    renameSync(join(directory, 'away'), join(directory, 'staging'));
    await repeat();
    expect(written()).toBe('newer');
  });

  it('while erasing or making leaves nothing after the next start', async () => {
    mkdirSync(join(root, '.erased-1', 'files'), { recursive: true });
    mkdirSync(join(root, '.new-1'), { recursive: true });
    await DirectoryWorkspaces.open(root);
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
