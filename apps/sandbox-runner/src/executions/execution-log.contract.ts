/** What every ExecutionLog must do, whichever store is behind it. */
import { describe, expect, it } from '@jest/globals';
import type { BegunExecution, ExecutionLog } from './execution-log.port.ts';
import { UNKNOWN_RESULT, type ExecutionResult } from './execution.ts';

let counter = 0;
const begun = (more: Partial<BegunExecution> = {}): BegunExecution => {
  counter += 1;
  return {
    workspaceId: 'ws_a',
    executionId: `exec_${counter}`,
    conversationId: `cnv_${counter}`,
    requestDigest: 'd1',
    mayRunUntil: new Date('2030-01-01T00:00:00Z'),
    ...more,
  };
};

const RESULT: ExecutionResult = {
  ...UNKNOWN_RESULT,
  outcome: 'ok',
  exitCode: 3,
  durationMs: 12,
  files: [
    { path: 'a', content: new Uint8Array([0, 255, 1]), mode: 0o644 },
    { path: 'b/ü', content: new Uint8Array(), mode: 0o755 },
  ],
  skipped: [{ path: 'f\\x0a', reason: 'bad_name' }],
  stderrTruncated: true,
};
const OUTPUT = { stdout: new Uint8Array([0, 10, 200]), stderr: new Uint8Array() };

/** @param open a log of the same instance and store, as a process of its own sees it. */
export const describeExecutionLog = (open: (runner: string, instance?: string) => ExecutionLog): void => {
  describe('an execution log', () => {
    it('lets exactly one begin an id', async () => {
      const execution = begun();
      const answers = await Promise.all(Array.from({ length: 8 }, () => open('r1').begin(execution)));
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
      expect(answers.find((answer) => answer !== undefined)).toMatchObject({
        status: 'started',
        requestDigest: 'd1',
        mine: true,
      });
    });

    it('keeps ids of two workspaces apart', async () => {
      const execution = begun();
      await open('r1').begin(execution);
      expect(await open('r1').begin({ ...execution, workspaceId: 'ws_b' })).toBeUndefined();
    });

    it('gives the result back byte for byte, and takes the first only', async () => {
      const execution = begun();
      await open('r1').begin(execution);
      expect(await open('r1').finish(execution, RESULT, OUTPUT)).toBe(true);
      expect(await open('r1').finish(execution, UNKNOWN_RESULT, OUTPUT)).toBe(false);
      const known = await open('r2', 'other').begin({ ...execution, requestDigest: 'd2' });
      if (known?.status !== 'finished') throw new Error('not finished');
      expect(known.requestDigest).toBe('d1');
      const files = known.result.files.map((file) => ({ ...file, content: [...file.content] }));
      expect({ ...known.result, files }).toEqual({
        ...RESULT,
        files: RESULT.files.map((file) => ({ ...file, content: [...file.content] })),
      });
      expect([[...known.output.stdout], [...known.output.stderr]]).toEqual([[0, 10, 200], []]);
    });

    it('takes back only what has not finished', async () => {
      const [open1, done] = [begun(), begun()];
      const log = open('r1');
      await log.begin(open1);
      await log.withdraw(open1);
      expect(await log.begin(open1)).toBeUndefined();
      await log.begin(done);
      await log.finish(done, RESULT, OUTPUT);
      await log.withdraw(done);
      expect(await log.begin(done)).toMatchObject({ status: 'finished' });
    });

    it('ends what an earlier process of the same instance left, and nothing else', async () => {
      const [dead, mine, foreign] = [begun(), begun(), begun()];
      await open('dead', 'i9').begin(dead);
      await open('alive', 'i9').begin(mine);
      await open('far', 'i10').begin(foreign);
      expect(await open('alive', 'i9').settleAbandoned()).toBe(1);
      expect(await open('alive', 'i9').begin(dead)).toMatchObject({ result: { outcome: 'outcome_unknown' } });
      expect(await open('alive', 'i9').begin(mine)).toMatchObject({ status: 'started', mine: true });
      expect(await open('alive', 'i9').begin(foreign)).toMatchObject({ status: 'started', mine: false });
    });

    it('forgets contents and never that it ran', async () => {
      const [one, other] = [begun(), begun()];
      const log = open('r1');
      for (const execution of [one, other]) {
        await log.begin(execution);
        await log.finish(execution, RESULT, OUTPUT);
      }
      await log.eraseConversation('ws_b', one.conversationId);
      expect(await log.begin(one)).toMatchObject({ status: 'finished' });
      await log.eraseConversation('ws_a', one.conversationId);
      expect(await log.begin(one)).toEqual({ status: 'erased', requestDigest: 'd1' });
      expect(await log.begin(other)).toMatchObject({ status: 'finished' });
      await log.eraseFinishedBefore(new Date(Date.now() - 60_000));
      expect(await log.begin(other)).toMatchObject({ status: 'finished' });
      await log.eraseFinishedBefore(new Date(Date.now() + 60_000));
      expect(await log.begin(other)).toMatchObject({ status: 'erased' });
    });
  });
};
