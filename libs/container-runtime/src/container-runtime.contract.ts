/** What every adapter must do, checked with real programs; an adapter's spec calls it and adds what is its own. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container, ContainerRuntime, ContainerSpec } from './container-runtime.port.ts';

export interface ContainerRuntimeHarness {
  /** A runtime of a fresh owner over the same place; the harness closes it after the test. */
  open(): Promise<ContainerRuntime>;
  /** Image and command that run `source` as a Node program. */
  program(source: string): Pick<ContainerSpec, 'image' | 'command'>;
  cleanUp(): Promise<void>;
  /** How long a stop of one that does not listen may take, 2500 ms unless said. */
  readonly stopWithinMs?: number;
}

/** Serves what a container can tell about itself, and does on request what a bad one would. */
export const CONTRACT_PROGRAM = `
const fs = require('node:fs'), http = require('node:http'), { spawn } = require('node:child_process');
const source = process.env.SECRET_SOURCE;
const secret = source.startsWith('fd:') ? fs.readFileSync(Number(source.slice(3)), 'utf8') : fs.readFileSync(source.slice(5), 'utf8');
fs.writeFileSync('mark', 'x');
const held = [];
const actions = {
  '/self': () => ({ env: process.env, secret, uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(), cwd: process.cwd(),
    args: process.argv, pid: process.pid, status: fs.readFileSync('/proc/self/status', 'utf8') }),
  '/exit': () => { console.log('last words'); setTimeout(() => process.exit(7), 20); return {}; },
  '/flee': () => ({ pid: spawn(process.execPath, ['-e', 'setTimeout(() => {}, 300000)'], { detached: true, stdio: 'ignore', env: {} }).pid }),
  '/deaf': () => { process.on('SIGTERM', () => {}); return {}; },
  '/swell': () => { for (let i = 0; i < 40; i += 1) held.push(Buffer.alloc(8 << 20, 1)); return {}; },
};
http.createServer((req, res) => res.end(JSON.stringify(actions[req.url]()))).listen(Number(process.env.LISTEN_PORT), process.env.LISTEN_HOST);
`;

const MEMORY = 512 * 1024 * 1024;

export const contractSpec = (
  harness: ContainerRuntimeHarness,
  name: string,
  more: Partial<ContainerSpec> = {},
): ContainerSpec => ({
  name,
  labels: { app: 'contract' },
  env: { GIVEN: 'yes' },
  secret: { value: `secret of ${name}`, sourceVariable: 'SECRET_SOURCE' },
  listen: { hostVariable: 'LISTEN_HOST', portVariable: 'LISTEN_PORT' },
  reaches: [],
  memoryLimitBytes: MEMORY,
  ...harness.program(CONTRACT_PROGRAM),
  ...more,
});

export const untilServing = async (runtime: ContainerRuntime, name: string): Promise<Container> => {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(30)) {
    const found = await runtime.inspect(name);
    if (found?.endpoint) return found;
    if (found?.exit) throw new Error(`${name} ended: ${found.exit.tail}`);
  }
  throw new Error(`${name} does not serve`);
};

export const ask = async (container: Container, path: string): Promise<Record<string, unknown>> => {
  const { host, port } = container.endpoint ?? { host: '', port: 0 };
  return (await (await fetch(`http://${host}:${port}${path}`)).json()) as Record<string, unknown>;
};

export const describeContainerRuntime = (adapter: string, harness: ContainerRuntimeHarness): void => {
  describe(`${adapter} as a ContainerRuntime`, () => {
    const opened: ContainerRuntime[] = [];
    const open = async () => {
      const runtime = await harness.open();
      opened.push(runtime);
      return runtime;
    };
    afterEach(async () => {
      for (const runtime of opened.splice(0)) await runtime.close();
      await harness.cleanUp();
    });

    it('runs a program that gets exactly its environment and its secret out of band [pod.clean]', async () => {
      process.env['BRAVO_CONTRACT_LEAK'] = 'ours';
      const runtime = await open();
      await runtime.spawn(contractSpec(harness, 'one'));
      const self = await ask(await untilServing(runtime, 'one'), '/self');
      delete process.env['BRAVO_CONTRACT_LEAK'];
      expect(self['secret']).toBe('secret of one');
      const env = self['env'] as Record<string, string>;
      expect(env['GIVEN']).toBe('yes');
      expect(Object.keys(env)).not.toContain('BRAVO_CONTRACT_LEAK');
      expect(JSON.stringify([env, self['args']])).not.toContain('secret of one');
    });

    it('lists by labels, refuses a name twice and knows nothing of others', async () => {
      const runtime = await open();
      await runtime.spawn(contractSpec(harness, 'one', { labels: { app: 'contract', kind: 'warm' } }));
      await runtime.spawn(contractSpec(harness, 'two'));
      expect((await runtime.list({ app: 'contract' })).map(({ name }) => name).sort()).toEqual(['one', 'two']);
      expect((await runtime.list({ kind: 'warm' })).map(({ name }) => name)).toEqual(['one']);
      await expect(runtime.spawn(contractSpec(harness, 'one'))).rejects.toMatchObject({ code: 'conflict' });
      expect(await runtime.inspect('three')).toBeUndefined();
      await expect(runtime.waitExit('three')).rejects.toMatchObject({ code: 'not_found' });
      await expect(runtime.stop('three')).resolves.toBeUndefined();
    });

    it('notices an end, keeps it visible with the last words, and frees the name at stop', async () => {
      const runtime = await open();
      await runtime.spawn(contractSpec(harness, 'one'));
      await ask(await untilServing(runtime, 'one'), '/exit');
      const exit = await runtime.waitExit('one');
      expect(exit).toMatchObject({ reason: 'exited', code: 7 });
      expect(exit.tail).toContain('last words');
      expect(await runtime.inspect('one')).toMatchObject({ state: 'exited', exit: { code: 7 } });
      await runtime.stop('one');
      expect(await runtime.inspect('one')).toBeUndefined();
      await runtime.spawn(contractSpec(harness, 'one'));
      await untilServing(runtime, 'one');
    });

    it('stops one that does not listen, within the grace, and tells who waits', async () => {
      const runtime = await open();
      await runtime.spawn(contractSpec(harness, 'one'));
      await ask(await untilServing(runtime, 'one'), '/deaf');
      const waiting = runtime.waitExit('one');
      const before = Date.now();
      await runtime.stop('one', { graceMs: 200 });
      expect(Date.now() - before).toBeLessThan(harness.stopWithinMs ?? 2_500);
      expect(await waiting).toMatchObject({ reason: 'stopped' });
      await expect(runtime.stop('one')).resolves.toBeUndefined();
    });

    it('ends one that goes over its memory, and says so', async () => {
      const runtime = await open();
      await runtime.spawn(contractSpec(harness, 'one', { memoryLimitBytes: 200 * 1024 * 1024 }));
      void ask(await untilServing(runtime, 'one'), '/swell').catch(() => undefined);
      expect(await runtime.waitExit('one')).toMatchObject({ reason: 'memory' });
    });

    it('sweeps nothing of a living owner', async () => {
      const runtime = await open();
      const other = await open();
      await runtime.spawn(contractSpec(harness, 'one'));
      await untilServing(runtime, 'one');
      expect(await other.sweep()).toEqual({ deadOwners: [], containers: [] });
      expect(await runtime.inspect('one')).toMatchObject({ state: 'running' });
    });
  });
};
