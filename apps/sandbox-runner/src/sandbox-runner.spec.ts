import type { Subject } from '@bravo/chassis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { obstacleHere } from './executions/oci/obstacle.fixture.ts';
import { ask, collect, serveRunner, type ServedRunner } from './served-runner.fixture.ts';

const acme: Subject = { userId: 'usr_alice', workspaceId: 'ws_acme', agent: { conversationId: 'cnv_1', podId: '' } };
const globex: Subject = { userId: 'usr_carol', workspaceId: 'ws_globex' };

let runner: ServedRunner;
beforeAll(async () => {
  runner = await serveRunner();
}, 60_000);
afterAll(() => runner.stop());

describe('sandbox-runner over gRPC', () => {
  it('keeps files of a conversation for its workspace', async () => {
    const files = runner.files('broker');
    const request = { conversationId: 'cnv_1', path: 'a/b.txt' };
    const written = await files.writeFile(
      { ...request, content: Buffer.from('hi'), expectedRevision: 'absent', expectedLanding: '', operationId: 'op_1' },
      { subject: acme },
    );
    expect(written.created).toBe(true);
    expect(await files.readFile({ ...request, maxBytes: 0 }, { subject: acme })).toMatchObject({
      content: Buffer.from('hi'),
      size: 2,
      facts: written.facts,
    });
    expect((await files.statFile(request, { subject: acme })).facts).toEqual(written.facts);
    expect(
      await files.listFiles({ conversationId: 'cnv_1', directory: '', depth: 2, maxEntries: 0 }, { subject: acme }),
    ).toEqual({
      landing: '',
      entries: [
        { path: 'a', kind: 'directory', size: 0, landing: '' },
        { path: 'a/b.txt', kind: 'file', size: 2, landing: '' },
      ],
      truncated: false,
    });
    await expect(files.readFile({ ...request, maxBytes: 0 }, { subject: globex })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(files.readFile({ ...request, maxBytes: -1 }, { subject: acme })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(files.readFile({ ...request, maxBytes: 0 })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('answers nobody but the broker, and the operator for programs only', async () => {
    const request = { conversationId: 'cnv_1', path: 'a' };
    for (const service of ['gateway', 'operator'] as const) {
      await expect(runner.files(service).statFile(request, { subject: acme })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    }
    await expect(runner.sandbox('gateway').describeSandbox({}, { subject: acme })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    const description = await runner.sandbox('operator').describeSandbox({});
    expect(description.available).toBe(runner.obstacle === '');
  });

  it('names the bad item before anything starts', async () => {
    const sandbox = runner.sandbox('broker');
    await expect(collect(sandbox.runExecution(ask({ language: 'ruby' }), { subject: acme }))).rejects.toMatchObject({
      code: 'invalid_argument',
      meta: { field: 'language' },
      detail: expect.stringContaining('python, node, bash'),
    });
    expect(await runner.database.execution.count()).toBe(0);
  });
});

const obstacle = obstacleHere();
if (obstacle !== '' && process.env['BRAVO_REQUIRE_SANDBOX'] !== '1') {
  describe(`programs over gRPC (not run: ${obstacle})`, () => {
    it('are refused with the reason, and their id stays free [sandbox.refuses]', async () => {
      const request = ask();
      await expect(collect(runner.sandbox('broker').runExecution(request, { subject: acme }))).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        detail: runner.obstacle,
      });
      expect(await runner.database.execution.count()).toBe(0);
    });
  });
} else
  describe('programs over gRPC', () => {
    it('run once per id, whoever asks and how often [sandbox.idempotent]', async () => {
      const sandbox = runner.sandbox('broker');
      const request = ask({
        code: 'date +%N; head -c 16 /dev/urandom | base64 > f; echo e >&2',
        limits: { timeoutSeconds: 900, memoryMb: 0, cpu: 0 },
      });
      const [first, joined] = await Promise.all([
        collect(sandbox.runExecution(request, { subject: acme })),
        collect(sandbox.runExecution(request, { subject: acme })),
      ]);
      const again = await collect(sandbox.runExecution(request, { subject: acme }));
      expect(first.started).toEqual({
        limits: { timeoutSeconds: 300, memoryMb: 256, cpu: 1 },
        notices: [expect.stringContaining('300 s')],
        replayed: false,
      });
      expect(first.finished).toMatchObject({ outcome: 'ok', exitCode: 0, files: [{ path: 'f' }] });
      expect([joined.stdout, again.stdout]).toEqual([first.stdout, first.stdout]);
      expect(again).toMatchObject({ started: { replayed: true }, finished: first.finished, stderr: 'e\n' });
      await expect(
        collect(sandbox.runExecution({ ...request, code: 'echo other' }, { subject: acme })),
      ).rejects.toMatchObject({ code: 'conflict' });
      // The same id of another workspace is another execution.
      expect((await collect(sandbox.runExecution(request, { subject: globex }))).stdout).not.toBe(first.stdout);
    });

    it('go on when the caller goes away, and are cancelled only by its workspace', async () => {
      const sandbox = runner.sandbox('broker');
      const request = ask({ code: 'echo begun; sleep 1; echo ended' });
      for await (const { event } of sandbox.runExecution(request, { subject: acme }))
        if (event?.$case === 'stdout') break;
      expect((await collect(sandbox.runExecution(request, { subject: acme }))).stdout).toBe('begun\nended\n');
      const long = ask({ code: 'echo begun; sleep 30' });
      const running = collect(sandbox.runExecution(long, { subject: acme }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await sandbox.cancelExecution({ executionId: long.executionId }, { subject: globex })).toEqual({
        cancelled: false,
      });
      expect(await sandbox.cancelExecution({ executionId: long.executionId }, { subject: acme })).toEqual({
        cancelled: true,
      });
      expect((await running).finished).toMatchObject({ outcome: 'cancelled' });
      expect(await sandbox.cancelExecution({ executionId: long.executionId }, { subject: acme })).toEqual({
        cancelled: false,
      });
    });

    it('whose end nobody saw are unknown, and never run again [sandbox.idempotent]', async () => {
      const sandbox = runner.sandbox('broker');
      const request = ask({ code: 'date +%N' });
      await collect(sandbox.runExecution(request, { subject: acme }));
      await runner.database.execution.update({
        where: { workspaceId_id: { workspaceId: 'ws_acme', id: request.executionId } },
        data: { status: 'started', runner: 'dead' },
      });
      expect(await collect(sandbox.runExecution(request, { subject: acme }))).toMatchObject({
        started: { replayed: true },
        finished: { outcome: 'outcome_unknown' },
        stdout: '',
      });
    });

    it('leave nothing with their conversation, but are not run again', async () => {
      const [sandbox, files] = [runner.sandbox('broker'), runner.files('broker')];
      const [done, running] = [ask({ conversationId: 'cnv_9' }), ask({ conversationId: 'cnv_9', code: 'sleep 30' })];
      await files.writeFile(
        {
          conversationId: 'cnv_9',
          path: 'a',
          content: Buffer.from('x'),
          expectedRevision: '',
          expectedLanding: '',
          operationId: '',
        },
        { subject: acme },
      );
      await collect(sandbox.runExecution(done, { subject: acme }));
      const cut = collect(sandbox.runExecution(running, { subject: acme }));
      await new Promise((resolve) => setTimeout(resolve, 200));
      await expect(files.eraseWorkspace({ conversationId: 'cnv_9' }, { subject: globex })).rejects.toMatchObject({
        code: 'not_found',
      });
      await files.eraseWorkspace({ conversationId: 'cnv_9' }, { subject: acme });
      await files.eraseWorkspace({ conversationId: 'cnv_9' }, { subject: acme });
      expect((await cut).finished).toMatchObject({ outcome: 'cancelled' });
      expect((await files.statFile({ conversationId: 'cnv_9', path: 'a' }, { subject: acme })).facts).toMatchObject({
        exists: false,
      });
      await expect(collect(sandbox.runExecution(done, { subject: acme }))).rejects.toMatchObject({
        code: 'not_found',
        detail: expect.stringContaining('not run again'),
      });
    });

    it('of the operator stand apart', async () => {
      expect(await collect(runner.sandbox('operator').runExecution(ask({ conversationId: '' })))).toMatchObject({
        stdout: 'hello\n',
      });
    });
  });
