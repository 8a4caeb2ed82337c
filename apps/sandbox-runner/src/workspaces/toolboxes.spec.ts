/** The files of conversations through real toolboxes, contained and as plain processes, over snapshots in a directory: the contract, and what only they can get wrong. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packMessage } from '@bravo/workspace-files';
import { instanceOf } from '../executions/oci/instance.ts';
import { obstacleHere } from '../executions/oci/obstacle.fixture.ts';
import { settingsHere } from '../executions/oci/settings-here.fixture.ts';
import { WorkspaceHolds } from '../leases/hold-workspace.ts';
import { memoryLeases } from '../leases/memory-leases.fixture.ts';
import { openDirectoryObjects } from '../snapshots/local/directory-objects.ts';
import { createSnapshots } from '../snapshots/snapshots.ts';
import { askToolbox } from './ask-toolbox.client.ts';
import { bundleToolbox, type BundledToolbox } from './bundle-toolbox.fixture.ts';
import { createLocalToolboxes } from './local/local-toolboxes.ts';
import { ToolboxWorkspaces } from './toolbox-workspaces.ts';
import { ANYTHING, describeWorkspaces, newKey } from './workspace.contract.ts';

const obstacle = obstacleHere();
const runtimes = (['crun', 'runc'] as const).filter((name) => spawnSync(name, ['--version']).status === 0);
let base: string;
let bundled: BundledToolbox;
const opened: ToolboxWorkspaces[] = [];
const instances: string[] = [];
/** By store: its runners share them as they would a database. */
const leases = new Map<string, Parameters<typeof memoryLeases>[0]>();
const leasesOf = (store: string): Parameters<typeof memoryLeases>[0] => {
  if (!leases.has(store)) leases.set(store, new Map());
  return leases.get(store);
};

/** One runner; those with the same store see the same conversations. */
const openRunner = async (store: string, ociRuntime = 'crun', mostOpen = 40): Promise<ToolboxWorkspaces> => {
  const state = mkdtempSync(join(base, 'runner-'));
  instances.push(instanceOf(state).id);
  const workspaces = new ToolboxWorkspaces({
    toolboxes: createLocalToolboxes({
      instance: instanceOf(state),
      stateDirectory: state,
      ociRuntime,
      seccompProfile: settingsHere('').seccompProfile,
      node: bundled.node,
      program: bundled.program,
      insecure: true,
      log: () => undefined,
    }),
    snapshots: createSnapshots(await openDirectoryObjects(join(base, store))),
    holds: new WorkspaceHolds(memoryLeases(leasesOf(store), `runner ${opened.length}`)),
    mostOpen,
    idleMs: 60_000,
    now: () => Date.now(),
    log: () => undefined,
  });
  opened.push(workspaces);
  return workspaces;
};

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'bravo-workspaces-'));
  chmodSync(base, 0o711);
  bundled = await bundleToolbox();
}, 60_000);
afterAll(async () => {
  await Promise.all(opened.map((workspaces) => workspaces.close()));
  rmSync(base, { recursive: true, force: true });
  bundled.remove();
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  expect(instances.filter((id) => mounts.includes(id))).toEqual([]);
}, 60_000);

describe('workspaces in toolboxes that are plain processes [workspace.confined]', () => {
  let workspaces: ToolboxWorkspaces;
  beforeAll(async () => {
    workspaces = await openRunner('plain', '/nowhere/crun', 12);
  });
  describeWorkspaces(() => workspaces);
});

(obstacle === '' ? describe : describe.skip).each(runtimes)('workspaces in toolboxes contained by %s', (ociRuntime) => {
  let workspaces: ToolboxWorkspaces;
  const store = `contained-${ociRuntime}`;
  beforeAll(async () => {
    workspaces = await openRunner(store, ociRuntime);
  });

  describe('keep the contract [workspace.confined]', () => describeWorkspaces(() => workspaces));

  it('are as they were on another runner, revisions and repeated operations too [workspace.survives]', async () => {
    const key = newKey();
    const operation = { ...ANYTHING, operationId: 'op_1' };
    const first = await workspaces.write(key, 'notes/a.txt', Buffer.from('kept'), operation);
    const other = await openRunner(store, ociRuntime);
    expect(await other.stat(key, 'notes/a.txt')).toEqual(first.facts);
    expect(await other.write(key, 'notes/a.txt', Buffer.from('kept'), operation)).toEqual(first);
    const second = await other.write(key, 'notes/a.txt', Buffer.from('newer'), {
      ...ANYTHING,
      expectedRevision: first.facts.revision,
    });
    // What the first runner still has open is the past, and it finds that out.
    expect(String((await workspaces.read(key, 'notes/a.txt', 100)).content)).toBe('newer');
    expect(await workspaces.stat(key, 'notes/a.txt')).toEqual(second.facts);
    await other.erase(key);
    expect(await workspaces.stat(key, 'notes/a.txt')).toMatchObject({ exists: false });
    expect(readdirSync(join(base, store, 'conversations'))).not.toContain(key.conversationId);
  });

  it('answer through links that a program made with where they lead, here and on another runner [workspace.landing]', async () => {
    const key = newKey();
    await workspaces.write(key, 'real/a', Buffer.from('x'), ANYTHING);
    const { changed } = await workspaces.withFiles(key, async ({ directory }) => {
      for (const [link, target] of [
        ['inside', 'real/a'],
        ['tree', '/workspace/real'],
        ['out', '../../../../etc/passwd'],
      ] as const)
        symlinkSync(target, join(directory, link));
    });
    expect([...changed].sort()).toEqual(['inside', 'out', 'tree']);
    for (const runner of [workspaces, await openRunner(store, ociRuntime)]) {
      const facts = await runner.stat(key, 'real/a');
      expect(await runner.stat(key, 'inside')).toEqual(facts);
      expect(await runner.read(key, 'tree/a', 10)).toMatchObject({ facts, size: 1 });
      await expect(runner.read(key, 'out', 10)).rejects.toMatchObject({ code: 'invalid_argument' });
      expect((await runner.list(key, '', 1, 10)).entries).toEqual([
        { path: 'inside', kind: 'link', size: 0, landing: 'real/a' },
        { path: 'out', kind: 'link', size: 0, landing: '' },
        { path: 'real', kind: 'directory', size: 0, landing: '' },
        { path: 'tree', kind: 'link', size: 0, landing: 'real' },
      ]);
    }
    const { facts } = await workspaces.write(key, 'tree/b', Buffer.from('y'), ANYTHING);
    expect(facts.landing).toBe('real/b');
  }, 90_000);

  it('of a dead runner whose directory is gone are swept by any next one', async () => {
    const { id } = instanceOf(join(base, `gone-${ociRuntime}`));
    const left = `/run/bravo-toolboxes-${id}`;
    const volume = join(left, 'volumes', 'told');
    mkdirSync(volume, { recursive: true });
    spawnSync('mount', ['-t', 'tmpfs', 'bravo-workspace', volume]);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).toContain(volume);
    const next = await openRunner(`gone-${ociRuntime}`, ociRuntime);
    await next.write(newKey(), 'a', Buffer.from('x'), ANYTHING);
    expect(existsSync(left)).toBe(false);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(volume);
  });

  it('give way when they are too many, and come back as they were', async () => {
    const narrow = await openRunner(`narrow-${ociRuntime}`, ociRuntime, 2);
    const keys = Array.from({ length: 4 }, () => newKey());
    for (const key of keys) await narrow.write(key, 'a', Buffer.from(key.conversationId), ANYTHING);
    for (const key of keys) expect(String((await narrow.read(key, 'a', 100)).content)).toBe(key.conversationId);
  }, 90_000);

  it('find lines, in order and by glob, and say how an answer is not the whole one', async () => {
    const key = newKey();
    await workspaces.write(key, 'b/deep.txt', Buffer.from('needle below\n'), ANYTHING);
    await workspaces.write(key, 'a.txt', Buffer.from('hay\nneedle one\r\nNEEDLE two\n'), ANYTHING);
    await workspaces.write(key, 'binary', Buffer.from('needle\0'), ANYTHING);
    const asked = { patterns: ['needle'], caseSensitive: true, directory: '', include: '', offset: 0, maxMatches: 10 };
    expect(await workspaces.search(key, asked)).toEqual({
      landing: '',
      matches: [
        { path: 'a.txt', line: 2, text: 'needle one\r' },
        { path: 'b/deep.txt', line: 1, text: 'needle below' },
      ],
      nextOffset: 0,
      matchesSeen: 2,
      filesSearched: 2,
      filesSkipped: 1,
      partial: [],
    });
    expect(await workspaces.search(key, { ...asked, maxMatches: 1 })).toMatchObject({
      nextOffset: 1,
      partial: ['matches'],
    });
    expect((await workspaces.search(key, { ...asked, offset: 1 })).matches).toHaveLength(1);
    expect((await workspaces.search(key, { ...asked, caseSensitive: false, include: '*.txt' })).matches).toHaveLength(
      3,
    );
    await expect(workspaces.search(key, { ...asked, patterns: ['(a'] })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(workspaces.search(key, { ...asked, directory: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are opened by a toolbox of at most 60 MiB [workspace.limits]', async () => {
    const key = newKey();
    await workspaces.write(key, 'a', randomBytes(1024), ANYTHING);
    await workspaces.list(key, '', 1, 10);
    const residents = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const status = readFileSync(`/proc/${pid}/status`, 'utf8');
          const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
          if (uid < 90_000_000 || uid >= 90_004_000 || /^Name:\s+(crun|runc)/m.test(status)) return [];
          return [Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)];
        } catch {
          return [];
        }
      });
    expect(residents.length).toBeGreaterThan(0);
    // Of the one that has done nothing but this; others have carried tens of MiB through.
    expect(Math.min(...residents) / 1024).toBeLessThan(60);
  });
});

describe('what a toolbox says [workspace.believed]', () => {
  const answered = async (status: number, body: Buffer): Promise<unknown> => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status);
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const dial = (): Promise<Socket> => Promise.resolve(connect((server.address() as AddressInfo).port, '127.0.0.1'));
    try {
      return await askToolbox(dial, 'stat', { path: 'a' }).then(
        ({ answer }) => answer,
        ({ code }: { code: string }) => code,
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };
  const facts = { landing: 'a', revision: 'r', exists: true, size: 1, kind: 'file', caseFolding: false };

  it.each([
    ['facts', 200, packMessage(facts), facts],
    ['facts and more than was asked', 200, packMessage({ ...facts, more: 'x' }), facts],
    ['a fault that is one', 422, packMessage({ code: 'not_found', detail: 'gone' }), 'not_found'],
    ['a fault it may not speak of', 422, packMessage({ code: 'permission_denied', detail: 'no' }), 'internal'],
    ['a negative size', 200, packMessage({ ...facts, size: -1 }), 'internal'],
    ['a kind nobody knows', 200, packMessage({ ...facts, kind: 'device' }), 'internal'],
    ['no message', 200, Buffer.from('x'), 'internal'],
    ['a head longer than the message', 200, Buffer.from([255, 255, 255, 255, 1]), 'internal'],
    ['an error of its own', 500, packMessage({}), 'internal'],
  ])('%s', async (_, status, body, expected) => {
    expect(await answered(status, body)).toEqual(expected);
  });

  it('nothing at all is an answer too', async () => {
    const gone = () => Promise.reject(new Error('gone'));
    await expect(askToolbox(gone, 'stat', { path: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
