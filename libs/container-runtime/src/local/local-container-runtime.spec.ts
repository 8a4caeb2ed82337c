/** The local adapter where it cannot contain pods, under the contract, and what only child processes can get wrong: users, trees, leftovers. */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ask,
  contractSpec,
  CONTRACT_PROGRAM,
  describeContainerRuntime,
  untilServing,
  type ContainerRuntimeHarness,
} from '../container-runtime.contract.ts';
import type { ContainerRuntime } from '../container-runtime.port.ts';
import { openLocalContainerRuntime } from './index.ts';
import { identityOf, pidsOfUid } from './process-table.ts';
import { assertReachable } from './preconditions.ts';

const root = process.getuid?.() === 0;
const home = mkdtempSync(path.join(tmpdir(), 'bravo-pods-'));
chmodSync(home, 0o711);
const claimsDirectory = path.join(home, 'claims');
const uids = { first: 61_500, count: 200 };
// A Node that the users of pods may run too, wherever the checkout lies.
const node = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;
let count = 0;
/** No such runtime: what the adapter does where pods cannot be contained. */
const containment = { ociRuntime: '/nowhere/crun', seccompProfile: '/nowhere/profile.json' };
const open = (insecure = true): Promise<ContainerRuntime> =>
  openLocalContainerRuntime({
    owner: `owner-${(count += 1)}`,
    directory: home,
    uids,
    claimsDirectory,
    insecure,
    containment,
    node,
  });
const harness: ContainerRuntimeHarness = {
  open: () => open(),
  program: (source) => ({ command: [node, '-e', source] }),
  cleanUp: () => Promise.resolve(),
};
afterAll(() => rmSync(home, { recursive: true, force: true }));

describeContainerRuntime('local, as processes', harness);

const alive = (pid: number): boolean => identityOf(pid) !== undefined;

(root ? describe : describe.skip)('the local adapter as root, without containers', () => {
  let runtime: ContainerRuntime;
  afterEach(() => runtime.close());

  it('gives each container a user without rights and a directory that is its own, and takes both back', async () => {
    runtime = await open();
    await runtime.spawn(contractSpec(harness, 'one'));
    await runtime.spawn(contractSpec(harness, 'two'));
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (name) => ask(await untilServing(runtime, name), '/self')),
    );
    const uid = Number(one?.['uid']);
    expect(uid).toBeGreaterThanOrEqual(uids.first);
    expect(two?.['uid']).not.toBe(uid);
    expect(one?.['gid']).toBe(uid);
    expect((one?.['groups'] as number[]).every((group) => group === uid)).toBe(true);
    expect(one?.['status']).toMatch(/NoNewPrivs:\s+1/);
    expect(one?.['status']).toMatch(/CapEff:\s+0+$/m);
    const directory = String(one?.['cwd']);
    expect(statSync(directory)).toMatchObject({ uid });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    await runtime.stop('one');
    expect(existsSync(directory)).toBe(false);
    expect(readdirSync(path.join(home, 'records'))).toEqual(['two.json']);
    expect(readdirSync(claimsDirectory)).toEqual([String(two?.['uid'])]);
  });

  it('ends a descendant that left its group, its session and its environment behind', async () => {
    runtime = await open();
    await runtime.spawn(contractSpec(harness, 'one'));
    const serving = await untilServing(runtime, 'one');
    const { uid } = (await ask(serving, '/self')) as { uid: number };
    await ask(serving, '/flee');
    await ask(serving, '/exit');
    await runtime.waitExit('one');
    expect(pidsOfUid(uid)).toEqual([]);
  });

  it('shows no endpoint while another user holds the port', async () => {
    runtime = await open();
    const squatter = createServer();
    // The program never listens where it was told: somebody else does.
    const spec = contractSpec(harness, 'one', {
      command: [
        node,
        '-e',
        "require('node:fs').writeFileSync('port', process.env.LISTEN_PORT); setInterval(() => {}, 1000)",
      ],
    });
    await runtime.spawn(spec);
    const file = path.join(home, 'work', 'one', 'port');
    while (!existsSync(file) || statSync(file).size === 0) await new Promise((resolve) => setTimeout(resolve, 20));

    await new Promise<void>((resolve) => squatter.listen(Number(readFileSync(file, 'utf8')), '127.0.0.1', resolve));
    expect(await runtime.inspect('one')).toEqual({ name: 'one', labels: { app: 'contract' }, state: 'running' });
    await new Promise((resolve) => squatter.close(resolve));
  });

  it('leaves no pod of an owner that was killed', async () => {
    runtime = await open();
    const module = fileURLToPath(new URL('./index.ts', import.meta.url));
    const owner = spawn(
      process.execPath,
      [
        '--conditions=source',
        '--input-type=module',
        '-e',
        `const { openLocalContainerRuntime } = await import(${JSON.stringify(module)});
         const runtime = await openLocalContainerRuntime(${JSON.stringify({ owner: 'killed', directory: home, uids, claimsDirectory, containment, node, insecure: true })});
         await runtime.spawn(${JSON.stringify({ ...contractSpec(harness, 'orphan'), command: [node, '-e', CONTRACT_PROGRAM] })});
         for (;;) { const found = await runtime.inspect('orphan'); if (found.endpoint) { await (await fetch('http://127.0.0.1:' + found.endpoint.port + '/flee')).text();
           const self = await (await fetch('http://127.0.0.1:' + found.endpoint.port + '/self')).json(); console.log(JSON.stringify({ uid: self.uid, pid: self.pid })); break; } }
         setInterval(() => {}, 1000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const line = await new Promise<string>((resolve) =>
      owner.stdout.once('data', (text: Buffer) => resolve(text.toString())),
    );
    const { uid, pid } = JSON.parse(line) as { uid: number; pid: number };
    expect(await runtime.sweep()).toEqual({ deadOwners: [], containers: [] });
    const gone = new Promise((resolve) => owner.once('exit', resolve));
    owner.kill('SIGKILL');
    await gone;
    expect(await runtime.sweep()).toEqual({ deadOwners: ['killed'], containers: ['orphan'] });
    expect(alive(pid)).toBe(false);
    expect(pidsOfUid(uid)).toEqual([]);
    expect(existsSync(path.join(home, 'work', 'orphan'))).toBe(false);
    expect(await runtime.sweep()).toEqual({ deadOwners: [], containers: [] });
  });

  it('says which directory keeps the users of pods out', async () => {
    runtime = await open();
    const closed = mkdtempSync(path.join(tmpdir(), 'bravo-closed-'));
    await expect(assertReachable(path.join(closed, 'program'), 'The program of pods')).rejects.toMatchObject({
      code: 'pod_unavailable',
      detail: expect.stringContaining(`${closed} is closed`),
    });
    rmSync(closed, { recursive: true });
  });
});

describe('the local adapter without root', () => {
  it('refuses with the reason and the remedy, unless insecure pods are accepted [pod.refuses]', async () => {
    const getuid = process.getuid;
    process.getuid = () => 1000;
    const runtime = await open(false);
    try {
      await expect(runtime.spawn(contractSpec(harness, 'one'))).rejects.toMatchObject({
        code: 'pod_unavailable',
        detail: expect.stringMatching(/needs root.*--insecure-pods/),
      });
      expect(await runtime.describe()).toMatchObject({ isolation: 'refused', reason: expect.stringContaining('root') });
    } finally {
      Object.assign(process, { getuid });
      await runtime.close();
    }
  });

  it('ends the whole tree under one shared user too', async () => {
    const getuid = process.getuid;
    process.getuid = () => 1000;
    const runtime = await open(true);
    try {
      await runtime.spawn(contractSpec(harness, 'one'));
      Object.assign(process, { getuid });
      const serving = await untilServing(runtime, 'one');
      const { pid } = (await ask(serving, '/flee')) as { pid: number };
      expect(alive(pid)).toBe(true);
      await runtime.stop('one');
      expect(alive(pid)).toBe(false);
    } finally {
      Object.assign(process, { getuid });
      await runtime.close();
    }
  });
});
