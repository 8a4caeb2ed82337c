/** Runs a program at most once per id: the id is on record before it starts, and whoever asks again gets the first result. */
import { setTimeout as delay } from 'node:timers/promises';
import { createCounter } from '@bravo/chassis/metrics';
import { Fault, isFault } from '@bravo/faults';
import type { Admission } from './admission.ts';
import type { ExecutionLog, KnownExecution } from './execution-log.port.ts';
import {
  UNKNOWN_RESULT,
  type ExecutionEvent,
  type ExecutionKey,
  type ExecutionRequest,
  type ExecutionResult,
} from './execution.ts';
import { LiveExecution } from './live-execution.ts';
import { requestDigest } from './request-digest.ts';
import {
  emptyResult,
  type OutputStream,
  type ProgramResult,
  type RunWatch,
  type SandboxBackend,
} from './sandbox-backend.port.ts';

/** Beyond its own deadline an execution may wait for a slot and be tidied up after. */
const WAITING_SECONDS = 600;

export interface Executions {
  /** Ends with one "finished" event. Throws `conflict` when the id stands for another request. */
  run(request: ExecutionRequest): AsyncIterable<ExecutionEvent>;
  /** Whether there was something to end. */
  cancel(key: ExecutionKey): boolean;
  /** Ends what runs for the conversation, and resolves when its results are on record. */
  cancelConversation(workspaceId: string, conversationId: string): Promise<void>;
}

const executionsEnded = createCounter('bravo_executions_total', 'Programs by how they ended.', ['outcome']);

const NEVER_STARTED: ProgramResult = { ...emptyResult('cancelled'), exitCode: 137, signal: 'SIGKILL' };
const NO_OUTPUT = { stdout: new Uint8Array(), stderr: new Uint8Array() };
const nameOf = ({ workspaceId, executionId }: ExecutionKey): string => `${workspaceId}/${executionId}`;

interface Running {
  readonly request: ExecutionRequest;
  readonly execution: LiveExecution;
  readonly settled: Promise<void>;
}

export const createExecutions = (
  backend: SandboxBackend,
  log: ExecutionLog,
  admission: Admission,
  now: () => number,
): Executions => {
  const live = new Map<string, Running>();

  /** Waits its turn; one that is cancelled before its turn has never started. */
  const runInTurn = async ({ workspaceId, program }: ExecutionRequest, watch: RunWatch): Promise<ProgramResult> => {
    let leave: () => void;
    try {
      leave = await admission.enter(workspaceId, watch.signal);
    } catch (error) {
      if (watch.signal.aborted) return NEVER_STARTED;
      throw error;
    }
    try {
      return await backend.run(program, watch);
    } finally {
      leave();
    }
  };

  const begin = (request: ExecutionRequest): LiveExecution => {
    const digest = requestDigest(request);
    const running = live.get(nameOf(request));
    if (running !== undefined) {
      refuseOther(running.execution.requestDigest, digest);
      return running.execution;
    }
    const execution = new LiveExecution(digest);
    const settled = conduct(request, execution)
      .then(
        () => execution.end(),
        (error: unknown) => execution.fail(error),
      )
      .finally(() => live.delete(nameOf(request)));
    live.set(nameOf(request), { request, execution, settled });
    return execution;
  };

  const conduct = async (request: ExecutionRequest, execution: LiveExecution): Promise<void> => {
    const { workspaceId, executionId, conversationId, program, notices } = request;
    const known = await log.begin({
      workspaceId,
      executionId,
      conversationId,
      requestDigest: execution.requestDigest,
      mayRunUntil: new Date(now() + (program.limits.timeoutSeconds + WAITING_SECONDS) * 1_000),
    });
    if (known !== undefined) {
      refuseOther(known.requestDigest, execution.requestDigest);
      return replay(request, known, execution);
    }
    const output: Record<OutputStream, Uint8Array[]> = { stdout: [], stderr: [] };
    let started = false;
    let result: ExecutionResult;
    try {
      result = await runInTurn(request, {
        signal: execution.signal,
        onStarted: () => {
          started = true;
          execution.push({ kind: 'started', limits: program.limits, notices, replayed: false });
        },
        onOutput: (stream, chunk) => {
          output[stream].push(chunk);
          execution.push({ kind: stream, chunk });
        },
      });
    } catch (error) {
      if (!started || neverRan(error)) {
        await log.withdraw(request);
        executionsEnded.count({ outcome: 'never_ran' });
        throw error;
      }
      await log.finish(request, UNKNOWN_RESULT, NO_OUTPUT);
      executionsEnded.count({ outcome: UNKNOWN_RESULT.outcome });
      throw new Fault('outcome_unknown', 'The program was started and its end was not seen.', { cause: error });
    }
    if (!started) execution.push({ kind: 'started', limits: program.limits, notices, replayed: false });
    await record(request, result, { stdout: Buffer.concat(output.stdout), stderr: Buffer.concat(output.stderr) });
    executionsEnded.count({ outcome: result.outcome });
    execution.push({ kind: 'finished', result });
  };

  /** A result that is not on record would be run for again, so a database that is away for a moment is waited for. */
  const record = async (key: ExecutionKey, ...rest: [ExecutionResult, { stdout: Uint8Array; stderr: Uint8Array }]) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (await log.finish(key, ...rest)) return;
      } catch (cause) {
        if (attempt === 5) {
          throw new Fault('outcome_unknown', 'The program ran, and its result could not be recorded.', { cause });
        }
        await delay(attempt * 200);
        continue;
      }
      // What is on record is the truth, also when somebody gave this execution up too early.
      throw new Fault('outcome_unknown', 'The execution was given up as unknown before its result came in.');
    }
  };

  const replay = async (request: ExecutionRequest, known: KnownExecution, execution: LiveExecution): Promise<void> => {
    if (known.status === 'erased') {
      throw new Fault('not_found', 'This execution has run, and its result is no longer kept. It is not run again.');
    }
    if (known.status === 'started' && !known.mine && known.mayRunUntil.getTime() > now()) {
      throw new Fault('unavailable', 'This execution is running on another runner. Ask again in a moment.');
    }
    if (known.status === 'started') await log.finish(request, UNKNOWN_RESULT, NO_OUTPUT);
    const { result, output } = known.status === 'finished' ? known : { result: UNKNOWN_RESULT, output: NO_OUTPUT };
    execution.push({ kind: 'started', limits: request.program.limits, notices: request.notices, replayed: true });
    for (const stream of ['stdout', 'stderr'] as const) {
      if (output[stream].length > 0) execution.push({ kind: stream, chunk: output[stream] });
    }
    execution.push({ kind: 'finished', result });
  };

  return {
    run: (request) => begin(request).watch(),
    cancel: (key) => {
      const running = live.get(nameOf(key));
      running?.execution.cancel();
      return running !== undefined;
    },
    cancelConversation: async (workspaceId, conversationId) => {
      const concerned = [...live.values()].filter(
        ({ request }) => request.workspaceId === workspaceId && request.conversationId === conversationId,
      );
      for (const { execution } of concerned) execution.cancel();
      await Promise.all(concerned.map(({ settled }) => settled));
    },
  };
};

/** These two a backend throws only when nothing of the program has run. */
const neverRan = (error: unknown): boolean =>
  isFault(error) && (error.code === 'sandbox_unavailable' || error.code === 'resource_exhausted');

const refuseOther = (known: string, asked: string): void => {
  if (known !== asked) {
    throw new Fault('conflict', 'This execution id stands for another request. Use a new id.');
  }
};
