/** The local adapter where it contains pods: under the contract, and what a pod that tries everything gets, each with the exact error. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ask,
  CONTRACT_PROGRAM,
  contractSpec,
  type ContainerRuntimeHarness,
  describeContainerRuntime,
  untilServing,
} from '../../container-runtime.contract.ts';
import type { ContainerRuntime } from '../../container-runtime.port.ts';
import { openLocalContainerRuntime } from '../index.ts';
import { identityOf, pidsOfUid } from '../process-table.ts';
import { PROBE_PROGRAM, type Probed } from './probe-program.fixture.ts';

const runtimes = (['crun', 'runc'] as const).filter((name) => spawnSync(name, ['--version']).status === 0);
const able = process.getuid?.() === 0 && runtimes.length > 0;
const home = mkdtempSync(path.join(tmpdir(), 'bravo-contained-'));
chmodSync(home, 0o711);
const claimsDirectory = path.join(home, 'claims');
const uids = { first: 62_000, count: 200 };
// A Node that the users of pods may run too, wherever the checkout lies.
const node = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;
const containment = {
  ociRuntime: 'crun' as string,
  seccompProfile: fileURLToPath(new URL('../../../../../deploy/seccomp/bravo-sandbox.json', import.meta.url)),
};
let count = 0;
const options = (owner: string) => ({ owner, directory: home, uids, claimsDirectory, containment, node });
const open = (): Promise<ContainerRuntime> => openLocalContainerRuntime(options(`owner-${(count += 1)}`));
const harness: ContainerRuntimeHarness = {
  open,
  program: (source) => ({ command: [node, '-e', source] }),
  cleanUp: () => Promise.resolve(),
};

const subtree = `bravo-pods-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
const groups = (): string[] =>
  ['', 'memory', 'cpu', 'pids', 'devices']
    .map((controller) => path.join('/sys/fs/cgroup', controller, subtree))
    .filter((directory) => existsSync(directory));
const leftovers = () => ({
  groups: groups(),
  bundles: existsSync(path.join(home, 'bundles')) ? readdirSync(path.join(home, 'bundles')) : [],
  containers: existsSync(path.join(home, 'oci')) ? readdirSync(path.join(home, 'oci')) : [],
  records: readdirSync(path.join(home, 'records')),
  mounts: readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(home)),
});
const NOTHING = { groups: [], bundles: [], containers: [], records: [], mounts: [] };

const serve = (answer: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((_, response) => response.end(answer));
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

afterAll(() => rmSync(home, { recursive: true, force: true }));

(able ? describe : describe.skip).each(runtimes.length > 0 ? runtimes : ['crun'])(
  'pods in containers of %s',
  (ociRuntime) => {
    beforeAll(() => {
      containment.ociRuntime = ociRuntime;
    });

    describeContainerRuntime('local, contained', harness);

    describe('a contained pod', () => {
      let runtime: ContainerRuntime;
      let broker: Server;
      let database: Server;
      beforeAll(async () => {
        [broker, database] = await Promise.all([serve('the broker'), serve('the database')]);
      });
      afterAll(() => [broker, database].forEach((server) => server.close()));
      afterEach(async () => {
        await runtime.close();
        expect(leftovers()).toEqual(NOTHING);
      });

      it('reaches the addresses it was given and nothing else of machine, network and neighbours [pod.contained]', async () => {
        runtime = await open();
        expect(await runtime.describe()).toEqual({ isolation: 'contained', reason: '' });
        await runtime.spawn(contractSpec(harness, 'two'));
        const neighbour = await untilServing(runtime, 'two');
        await runtime.spawn(
          contractSpec(harness, 'one', {
            command: [node, '-e', PROBE_PROGRAM],
            reaches: [{ host: '127.0.0.1', port: portOf(broker) }],
          }),
        );
        const probing = await untilServing(runtime, 'one');
        const tell = (what: unknown): Promise<Probed> =>
          ask(probing, `/?${encodeURIComponent(JSON.stringify(what))}`) as Promise<unknown> as Promise<Probed>;

        expect(await tell({ fetch: `http://127.0.0.1:${portOf(broker)}/` })).toEqual({ got: 'the broker' });
        for (const [what, expected] of [
          [{ connect: ['127.0.0.1', portOf(database)] }, 'ECONNREFUSED'],
          [{ connect: ['127.0.0.1', neighbour.endpoint?.port] }, 'ECONNREFUSED'],
          [{ connect: ['::1', portOf(database)] }, 'ECONNREFUSED'],
          [{ connect: ['1.1.1.1', 443] }, 'ENETUNREACH'],
          [{ connect: ['169.254.169.254', 80] }, 'ENETUNREACH'],
          [{ connect: ['10.96.0.1', 443] }, 'ENETUNREACH'],
          [{ lookup: 'example.com' }, 'ENOTFOUND'],
          [{ read: '/etc/shadow' }, 'ENOENT'],
          [{ read: fileURLToPath(import.meta.url) }, 'ENOENT'],
          [{ append: '/proc/sys/kernel/core_pattern' }, 'EACCES'],
          [{ list: home }, 'ENOENT'],
          [{ list: '/sys' }, 'ENOENT'],
          [{ list: '/root' }, 'ENOENT'],
          [{ write: '/opt/pod/gate.mjs' }, 'EROFS'],
          [{ write: '/etc/hosts' }, 'EROFS'],
          [{ write: '/run/bravo/more' }, 'EROFS'],
          [{ run: '/bin/sh' }, 'ENOENT'],
          [{ kill: process.pid }, 'ESRCH'],
        ] as const) {
          expect({ what, ...(await tell(what)) }).toEqual({ what, error: expected });
        }
        expect(await tell({ pids: true })).toMatchObject({ got: ['1', expect.any(String)] });
        expect(await tell({ interfaces: true })).toEqual({ got: ['lo'] });
      });

      it('is without rights, under a user and a seccomp filter of its own [pod.contained]', async () => {
        runtime = await open();
        await runtime.spawn(contractSpec(harness, 'one'));
        await runtime.spawn(contractSpec(harness, 'two'));
        const [one, two] = await Promise.all(
          ['one', 'two'].map(async (name) => String((await ask(await untilServing(runtime, name), '/self'))['status'])),
        );
        for (const status of [one, two]) {
          expect(status).toMatch(/^Uid:\s+1000\s+1000/m);
          expect(status).toMatch(/^CapBnd:\s+0+$/m);
          expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
          expect(status).toMatch(/^Seccomp:\s+2$/m);
        }
        const running = readdirSync(claimsDirectory).map((uid) => pidsOfUid(Number(uid)).length);
        expect(running.filter((processes) => processes > 0)).toHaveLength(2);
      });

      it('leaves nothing of an owner that was killed, from the same moment on [pod.no-orphan]', async () => {
        runtime = await open();
        const module = fileURLToPath(new URL('../index.ts', import.meta.url));
        const owner = spawn(
          process.execPath,
          [
            '--conditions=source',
            '--input-type=module',
            '-e',
            `const { openLocalContainerRuntime } = await import(${JSON.stringify(module)});
           const runtime = await openLocalContainerRuntime(${JSON.stringify(options('killed'))});
           await runtime.spawn(${JSON.stringify({ ...contractSpec(harness, 'orphan'), command: [node, '-e', CONTRACT_PROGRAM] })});
           for (;;) { const found = await runtime.inspect('orphan'); if (found.endpoint) { await (await fetch('http://127.0.0.1:' + found.endpoint.port + '/flee')).text(); console.log('up'); break; } }
           setInterval(() => {}, 1000);`,
          ],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
        await new Promise<void>((resolve, reject) => {
          owner.stdout.once('data', () => resolve());
          owner.once('exit', () => reject(new Error('the owner ended')));
        });
        const record = JSON.parse(readFileSync(path.join(home, 'records', 'orphan.json'), 'utf8')) as {
          uid: number;
          process: { pid: number };
        };
        expect(pidsOfUid(record.uid).length).toBeGreaterThan(1);
        const gone = new Promise((resolve) => owner.once('exit', resolve));
        owner.kill('SIGKILL');
        await gone;
        await new Promise((resolve) => setTimeout(resolve, 300));
        // The kernel alone, before anything of ours sweeps.
        expect(pidsOfUid(record.uid)).toEqual([]);
        expect(identityOf(record.process.pid)).toBeUndefined();
        expect(await runtime.sweep()).toEqual({ deadOwners: ['killed'], containers: ['orphan'] });
      });

      it('cannot be reached through sockets of its own by other users, nor keep callers busy without an answer', async () => {
        runtime = await open();
        const spec = contractSpec(harness, 'one', { command: [node, '-e', 'setInterval(() => {}, 1000)'] });
        await runtime.spawn(spec);
        expect(await runtime.inspect('one')).toEqual({ name: 'one', labels: { app: 'contract' }, state: 'running' });
      });

      it('refuses an address that is no name and not its own loopback', async () => {
        runtime = await open();
        const spec = contractSpec(harness, 'one', { reaches: [{ host: '10.0.0.1', port: 80 }] });
        await expect(runtime.spawn(spec)).rejects.toMatchObject({ code: 'invalid_argument' });
      });
    });
  },
);
