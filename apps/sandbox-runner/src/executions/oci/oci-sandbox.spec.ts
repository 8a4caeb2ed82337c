import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeContainment } from '../containment.contract.ts';
import { runIn } from '../run-in.fixture.ts';
import { describeSandboxBackend } from '../sandbox-backend.contract.ts';
import { INSIDE_ID } from './bundle-config.ts';
import { claimInstance, instanceOf } from './instance.ts';
import { obstacleHere } from './obstacle.fixture.ts';
import { OciSandbox } from './oci-sandbox.ts';
import { settingsHere } from './settings-here.fixture.ts';
import { tracesOf } from './traces.fixture.ts';

const reason = obstacleHere();
if (reason !== '' && process.env['BRAVO_REQUIRE_SANDBOX'] !== '1') {
  describe.skip(`the OCI sandbox (skipped: ${reason})`, () => it('isolates programs', () => undefined));
} else if (reason !== '') {
  it('isolates programs, as BRAVO_REQUIRE_SANDBOX=1 demands', () => expect(reason).toBe(''));
} else {
  const runcIsThere = spawnSync('runc', ['--version']).status === 0;
  if (!runcIsThere)
    describe.skip('the OCI sandbox with runc (skipped: there is none; apt-get install runc)', () =>
      it('contains', () => undefined));
  describe.each([
    // An unknown system call meets the filter's default answer; runc tells those apart that its library cannot know.
    ['crun', 'EPERM'],
    ...(runcIsThere ? ([['runc', 'ENOSYS']] as const) : []),
  ] as const)('the OCI sandbox with %s [sandbox.contained] [sandbox.limits] [sandbox.probes]', (runtime, newCalls) => {
    let directory: string;
    let sandbox: OciSandbox;
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
      sandbox = new OciSandbox(settingsHere(directory, { runtime }));
    });
    afterAll(async () => {
      await sandbox.close();
      rmSync(directory, { recursive: true });
    });
    describeSandboxBackend(() => sandbox);
    describeContainment(() => sandbox, { newCalls, id: INSIDE_ID });
  });

  describe('the traces of the OCI sandbox', () => {
    const nothing = { mounts: 0, runs: 0, containers: 0, groups: 0, processes: 0 };
    let directory: string;
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
    });
    afterAll(() => rmSync(directory, { recursive: true }));

    it('are gone after every kind of end, and after closing', async () => {
      const sandbox = new OciSandbox(settingsHere(directory));
      await sandbox.settled();
      const before = await tracesOf(directory);
      // The one mount is the node program.
      expect(before).toEqual({ ...nothing, mounts: before.mounts });
      await Promise.all([
        runIn(sandbox, { code: 'mkdir -p a/b; echo x > a/b/c; (sleep 50 &)' }),
        runIn(sandbox, { code: 'sleep 9', limits: { timeoutSeconds: 1 } }),
        runIn(sandbox, { code: 'yes' }),
        runIn(sandbox, { language: 'python', code: "x = b'a' * 2**28", limits: { memoryMb: 64 } }),
        runIn(sandbox, { code: ':', signal: AbortSignal.abort() }),
      ]);
      await sandbox.settled();
      expect(await tracesOf(directory)).toEqual(before);
      const cut = runIn(sandbox, { code: 'sleep 50' });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await sandbox.close();
      expect(await cut).toMatchObject({ outcome: 'cancelled' });
      expect(await tracesOf(directory)).toEqual(nothing);
      expect(existsSync(instanceOf(directory).runtimeDirectory)).toBe(false);
    });

    it('of a killed runner are swept (probe 61) by the next one of the same directory', async () => {
      const runner = spawn(
        process.execPath,
        ['--conditions=source', fileURLToPath(new URL('./run-forever.fixture.ts', import.meta.url)), directory],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await new Promise<void>((resolve) => runner.stdout.once('data', () => resolve()));
      expect((await tracesOf(directory)).processes).toBeGreaterThan(0);
      // While it lives, nobody else may take its directory.
      const second = new OciSandbox(settingsHere(directory));
      expect(await second.describe()).toMatchObject({
        available: false,
        reason: expect.stringContaining('Another sandbox-runner'),
      });
      await expect(runIn(second, {})).rejects.toMatchObject({ code: 'sandbox_unavailable' });
      runner.kill('SIGKILL');
      await new Promise((resolve) => runner.once('close', resolve));
      const next = new OciSandbox(settingsHere(directory));
      expect(await next.describe()).toMatchObject({ available: true });
      await next.settled();
      expect(await tracesOf(directory)).toMatchObject({ runs: 0, containers: 0, groups: 0, processes: 0 });
      await next.close();
      expect(await tracesOf(directory)).toEqual(nothing);
    });

    it('of a dead runner whose directory is gone are swept by any next one', async () => {
      const lost = instanceOf(join(directory, 'gone'));
      const live = instanceOf(join(directory, 'alive'));
      const letGo = await claimInstance(live);
      for (const { runtimeDirectory } of [lost, live]) mkdirSync(join(runtimeDirectory, 'runs'), { recursive: true });
      const sandbox = new OciSandbox(settingsHere(directory));
      expect(await sandbox.describe()).toMatchObject({ available: true });
      expect([existsSync(lost.runtimeDirectory), existsSync(live.runtimeDirectory)]).toEqual([false, true]);
      await sandbox.close();
      await letGo();
      rmSync(live.runtimeDirectory, { recursive: true });
    });

    it('of one runner are never touched by another', async () => {
      const other = join(directory, 'other');
      mkdirSync(other);
      const [a, b] = [new OciSandbox(settingsHere(directory)), new OciSandbox(settingsHere(other))];
      await a.describe();
      const long = runIn(a, { code: 'sleep 1; echo whole' });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await runIn(b, { code: 'echo b' })).toMatchObject({ outcome: 'ok', stdout: 'b\n' });
      await b.close();
      expect(await long).toMatchObject({ outcome: 'ok', stdout: 'whole\n' });
      await a.close();
    });
  });

  describe('a machine that lacks something [sandbox.refuses]', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
    afterAll(() => rmSync(directory, { recursive: true }));
    it.each([
      ['the runtime', { runtime: 'no-such-crun' }, 'apt-get install'],
      ['the profile', { seccompProfile: '/nonexistent.json' }, 'BRAVO_SECCOMP_PROFILE'],
    ])('refuses with the remedy: %s', async (_, more, remedy) => {
      const sandbox = new OciSandbox(settingsHere(directory, more));
      expect(await sandbox.describe()).toMatchObject({
        available: false,
        reason: expect.stringContaining(remedy),
        languages: [],
      });
      await expect(runIn(sandbox, {})).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        detail: expect.stringContaining(remedy),
      });
      await sandbox.close();
    });

    it('offers the other languages when one interpreter is missing, and names it', async () => {
      const sandbox = new OciSandbox(settingsHere(directory, { nodeProgram: '/nonexistent/node' }));
      expect((await sandbox.describe()).languages).toEqual(['python', 'bash']);
      await expect(runIn(sandbox, { language: 'node' })).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        detail: expect.stringContaining('/nonexistent/node'),
      });
      await sandbox.close();
    });
  });
}
