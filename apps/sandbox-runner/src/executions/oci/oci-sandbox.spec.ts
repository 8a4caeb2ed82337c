import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeContainment } from '../containment.contract.ts';
import { runIn } from '../run-in.fixture.ts';
import type { Language } from '../sandbox-backend.port.ts';
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
  const runtimes = ['crun', ...(runcIsThere ? ['runc'] : [])];
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

    it.each(runtimes)(
      'of a killed runner of %s are swept (probe 61) by the next one of the same directory',
      async (runtime) => {
        const runner = spawn(
          process.execPath,
          [
            '--conditions=source',
            fileURLToPath(new URL('./run-forever.fixture.ts', import.meta.url)),
            directory,
            runtime,
          ],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
        await new Promise<void>((resolve) => runner.stdout.once('data', () => resolve()));
        expect((await tracesOf(directory)).processes).toBeGreaterThan(0);
        // While it lives, nobody else may take its directory.
        const second = new OciSandbox(settingsHere(directory, { runtime }));
        expect(await second.describe()).toMatchObject({
          available: false,
          reason: expect.stringContaining('Another sandbox-runner'),
        });
        await expect(runIn(second, {})).rejects.toMatchObject({ code: 'sandbox_unavailable' });
        runner.kill('SIGKILL');
        await new Promise((resolve) => runner.once('close', resolve));
        const next = new OciSandbox(settingsHere(directory, { runtime }));
        expect(await next.describe()).toMatchObject({ available: true });
        await next.settled();
        expect(await tracesOf(directory)).toMatchObject({ runs: 0, containers: 0, groups: 0, processes: 0 });
        await next.close();
        expect(await tracesOf(directory)).toEqual(nothing);
      },
    );

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
      ['the images that are named', { images: '/nonexistent' }, './bravo images build'],
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

    it.each([
      ['that is neither', 'echo "other version 1"', 'only crun and runc are known'],
      [
        'that fails every start',
        'case "$*" in *version*) echo "crun version 9";; *) echo "broken beyond repair" >&2; exit 7;; esac',
        'broken beyond repair',
      ],
    ])('refuses with a runtime %s, and leaves nothing', async (_, script, said) => {
      const runtime = join(directory, 'runtime');
      writeFileSync(runtime, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const sandbox = new OciSandbox(settingsHere(directory, { runtime }));
      await sandbox.describe();
      await expect(runIn(sandbox, {})).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        detail: expect.stringContaining(said),
      });
      await sandbox.close();
      expect(await tracesOf(directory)).toEqual({ mounts: 0, runs: 0, containers: 0, groups: 0, processes: 0 });
    });

    it('offers the other languages when one interpreter is missing, and names it', async () => {
      const sandbox = new OciSandbox(settingsHere(directory, { images: '', nodeProgram: '/nonexistent/node' }));
      expect((await sandbox.describe()).languages).toEqual(['python', 'bash']);
      await expect(runIn(sandbox, { language: 'node' })).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        detail: expect.stringContaining('/nonexistent/node'),
      });
      await sandbox.close();
    });
  });

  // Built by the test run itself where they can be; see tools/images.
  const images = settingsHere('').images;
  (images === '' ? describe.skip : describe)('programs in an image [sandbox.images]', () => {
    let directory: string;
    let sandbox: OciSandbox;
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
      sandbox = new OciSandbox(settingsHere(directory));
      // As the platform starts its services.
      const before = process.umask(0o077);
      await sandbox.settled();
      process.umask(before);
    });
    afterAll(async () => {
      await sandbox.close();
      rmSync(directory, { recursive: true });
    });

    it.each<[Language, string, string]>([
      [
        'python',
        "import sys, polib, babel.numbers, lxml.etree, yaml, zoneinfo\nprint(sys.version_info >= (3, 11), polib.POEntry(msgid='a').msgid, babel.numbers.format_decimal(1234.5, locale='de'), lxml.etree.fromstring('<a><b/></a>')[0].tag, yaml.safe_load('a: [1]'), zoneinfo.ZoneInfo('Europe/Berlin'))",
        "True a 1.234,5 b {'a': [1]} Europe/Berlin\n",
      ],
      [
        'node',
        "const { parse } = require('@formatjs/icu-messageformat-parser'); const i18next = require('i18next').createInstance(); i18next.init({ lng: 'en', resources: { en: { translation: { k: 'v' } } } }); console.log(process.versions.node.split('.')[0], parse('{n, plural, one {#} other {# s}}')[0].type, require('yaml').parse('a: 1').a, require('csv/sync').parse('a,b')[0].length, i18next.t('k'))",
        '24 6 1 2 v\n',
      ],
      ['node', "import { parse } from 'csv/sync'; console.log(parse('a,b').length)", '1\n'],
      [
        'bash',
        "printf 'b 2\\na 1\\n' > f; sort f | awk '{print $2}' | sed s/1/one/ | tr '\\n' ' '; echo '{\"a\":[1,2]}' | jq -c .a; find . -name f | xargs grep -c b; diff f f && tar cf - f | gzip | gunzip | tar tf -; TZ=Europe/Berlin date -d @0 +%Z; which jq",
        'one 2 [1,2]\n1\nf\nCET\n/usr/bin/jq\n',
      ],
    ])('have what the image promises: %s', async (language, code, stdout) => {
      expect(await runIn(sandbox, { language, code })).toMatchObject({ stderr: '', stdout, exitCode: 0 });
    });

    it('see nothing of the host but the kernel', async () => {
      const { stdout } = await runIn(sandbox, {
        code: 'echo /*; find / -xdev -perm /6000 2>/dev/null; cat /etc/passwd | wc -l',
      });
      expect(stdout).toBe('/bin /dev /etc /lib /lib64 /opt /proc /run /sbin /tmp /usr /var /workspace\n2\n');
    });
  });
}
