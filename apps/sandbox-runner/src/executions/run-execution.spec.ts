import { beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@bravo/faults';
import { Admission } from './admission.ts';
import type { ExecutionLog, KnownExecution } from './execution-log.port.ts';
import { UNKNOWN_RESULT, type ExecutionEvent, type ExecutionRequest, type ExecutionResult } from './execution.ts';
import { createExecutions, type Executions } from './run-execution.ts';
import type { ProgramResult, RunWatch, SandboxBackend } from './sandbox-backend.port.ts';

const REQUEST: ExecutionRequest = {
  workspaceId: 'ws_a',
  executionId: 'exec_1',
  conversationId: 'cnv_1',
  program: { language: 'bash', code: ':', files: [], env: {}, limits: { timeoutSeconds: 1, memoryMb: 16, cpu: 1 } },
  notices: ['said'],
};
const OK: ProgramResult = { ...UNKNOWN_RESULT, outcome: 'ok' };

/** The order of steps is what these tests are about, so both sides only write down what was asked of them. */
let steps: string[];
let row: KnownExecution | undefined;
let finishFailures: number;
let behave: (watch: RunWatch) => Promise<ProgramResult>;
let executions: Executions;

beforeEach(() => {
  steps = [];
  row = undefined;
  finishFailures = 0;
  const log: ExecutionLog = {
    begin: async () => {
      steps.push('begin');
      return row;
    },
    finish: async (_, result: ExecutionResult) => {
      if (finishFailures > 0) {
        finishFailures -= 1;
        throw new Error('away');
      }
      steps.push(`finish ${result.outcome}`);
      return true;
    },
    find: async () => undefined,
    withdraw: async () => void steps.push('withdraw'),
    settleAbandoned: async () => 0,
    eraseConversation: async () => undefined,
    eraseFinishedBefore: async () => undefined,
  };
  const backend: SandboxBackend = {
    describe: async () => ({ available: true, reason: '', backend: 'noted', languages: [] }),
    run: (_, watch) => {
      steps.push('run');
      return behave(watch);
    },
    close: async () => undefined,
  };
  executions = createExecutions(
    backend,
    log,
    new Admission({ running: 1, waitingPerWorkspace: 1, waiting: 1 }, () => 0),
    () => Date.parse('2026-01-01T00:00:00Z'),
  );
});

const all = async (events: AsyncIterable<ExecutionEvent>): Promise<ExecutionEvent[]> => {
  const collected: ExecutionEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
};

describe('running an execution', () => {
  it('is on record before it starts and before it is told', async () => {
    behave = async (watch) => {
      watch.onStarted();
      watch.onOutput('stdout', Buffer.from('x'));
      return OK;
    };
    const events = await all(executions.run(REQUEST));
    expect(steps).toEqual(['begin', 'run', 'finish ok']);
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'stdout', 'finished']);
  });

  it('waits for a database that is away at the end, and gives the result when it is back', async () => {
    finishFailures = 2;
    behave = async () => OK;
    expect((await all(executions.run(REQUEST))).at(-1)).toMatchObject({ kind: 'finished', result: { outcome: 'ok' } });
  });

  it.each(['sandbox_unavailable', 'resource_exhausted'] as const)(
    'that was refused with %s never was',
    async (code) => {
      behave = async () => {
        throw new Fault(code, 'no');
      };
      await expect(all(executions.run(REQUEST))).rejects.toMatchObject({ code });
      expect(steps).toEqual(['begin', 'run', 'withdraw']);
    },
  );

  it('whose end was not seen is recorded as unknown', async () => {
    behave = async (watch) => {
      watch.onStarted();
      throw new Error('the disk is gone');
    };
    await expect(all(executions.run(REQUEST))).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(steps).toEqual(['begin', 'run', 'finish outcome_unknown']);
  });

  it('is not started for an id that is known, whatever became of it', async () => {
    const requestDigest = await digestOf();
    const elsewhere = { status: 'started', requestDigest, mine: false } as const;
    row = {
      status: 'finished',
      requestDigest,
      result: OK,
      output: { stdout: Buffer.from('old'), stderr: Buffer.from('') },
    };
    expect((await all(executions.run(REQUEST))).map(({ kind }) => kind)).toEqual(['started', 'stdout', 'finished']);
    row = { status: 'erased', requestDigest };
    await expect(all(executions.run(REQUEST))).rejects.toMatchObject({ code: 'not_found' });
    row = { ...elsewhere, mayRunUntil: new Date('2026-01-01T00:00:01Z') };
    await expect(all(executions.run(REQUEST))).rejects.toMatchObject({ code: 'unavailable' });
    row = { ...elsewhere, mayRunUntil: new Date('2025-12-31T23:59:59Z') };
    expect((await all(executions.run(REQUEST))).at(-1)).toMatchObject({ result: { outcome: 'outcome_unknown' } });
    row = { status: 'erased', requestDigest: 'other' };
    await expect(all(executions.run(REQUEST))).rejects.toMatchObject({ code: 'conflict' });
    expect(steps.filter((step) => step === 'run')).toEqual([]);
  });

  it('is joined while it runs, and runs once', async () => {
    let finish: () => void = () => undefined;
    behave = (watch) => {
      watch.onStarted();
      return new Promise((resolve) => (finish = () => resolve(OK)));
    };
    const [first, second] = [all(executions.run(REQUEST)), all(executions.run(REQUEST))];
    await new Promise(setImmediate);
    expect(() => executions.run({ ...REQUEST, conversationId: 'cnv_2' })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    finish();
    expect(await first).toEqual(await second);
    expect(steps.filter((step) => step === 'run')).toEqual(['run']);
  });

  const digestOf = async (): Promise<string> => (await import('./request-digest.ts')).requestDigest(REQUEST);
});
