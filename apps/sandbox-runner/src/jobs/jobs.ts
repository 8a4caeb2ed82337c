/** Carries plans out over a conversation's files, each id at most once: it is on record before anything starts, and what came of it after its end. */
import { setTimeout as delay } from 'node:timers/promises';
import { createCounter } from '@bravo/chassis/metrics';
import { Fault, isFault } from '@bravo/faults';
import type { Admission } from '../executions/admission.ts';
import type { ExecutionKey, ExecutionResult } from '../executions/execution.ts';
import { UNKNOWN_RESULT } from '../executions/execution.ts';
import type { ExecutionLog, KnownExecution, RecordedOutput } from '../executions/execution-log.port.ts';
import type { OutputStream } from '../executions/sandbox-backend.port.ts';
import type { Workspaces } from '../workspaces/workspace.port.ts';
import { BACKGROUND_JOBS, JOB_LIMITS, type JobReading, type JobRequest, type JobResult } from './job.ts';
import type { JobBackend, JobInput } from './job-backend.port.ts';
import { jobDigest } from './job-digest.ts';
import { LiveJob, type Since } from './live-job.ts';

/** Beyond its own deadline a job may wait for a slot and be tidied up after. */
const WAITING_SECONDS = 600;

export interface JobsParts {
  readonly backend: Pick<JobBackend, 'runJob'>;
  readonly workspaces: Pick<Workspaces, 'withFiles'>;
  readonly log: Pick<ExecutionLog, 'begin' | 'find' | 'finish' | 'withdraw'>;
  readonly admission: Admission;
  readonly now: () => number;
}

export interface Look extends ExecutionKey {
  readonly conversationId: string;
  readonly since: Since;
  readonly waitMs: number;
  readonly untilEnd: boolean;
  readonly signal: AbortSignal;
}

/** Who listens to a job as it runs. */
export interface JobListener {
  onOutput(stream: OutputStream, chunk: Uint8Array): void;
  onInput(input: JobInput): void;
}

export interface Jobs {
  /**
   * Resolves once its first step is about to be started, or when it is known by its id already. Throws `conflict` when the id stands
   * for another request, `resource_exhausted`, `sandbox_unavailable`: nothing of it ran then.
   */
  run(request: JobRequest, listener?: JobListener): Promise<void>;
  /** Throws `not_found` for an id nobody began in that conversation. */
  read(look: Look): Promise<JobReading>;
  /** Whether there was something to end. */
  cancel(key: ExecutionKey): boolean;
  /** Ends what runs for the conversation, and resolves when its results are on record. */
  cancelConversation(workspaceId: string, conversationId: string): Promise<void>;
  close(): Promise<void>;
}

const jobsEnded = createCounter('bravo_jobs_total', 'Plans by how they ended.', ['outcome']);

const UNKNOWN: JobResult = {
  ...UNKNOWN_RESULT,
  ...{ steps: [], changed: [], changesLost: true, stdoutAt: 0, stderrAt: 0 },
};
const nameOf = ({ workspaceId, executionId }: ExecutionKey): string => `${workspaceId}/${executionId}`;

interface Running {
  readonly job: LiveJob;
  /** Rejects with why it never started. */
  readonly started: Promise<void>;
  readonly settled: Promise<void>;
}

export const createJobs = ({ backend, workspaces, log, admission, now }: JobsParts): Jobs => {
  const live = new Map<string, Running>();

  const refuseCrowd = ({ background, stdin, conversationId }: JobRequest): void => {
    if (!background && stdin !== 'live') return;
    const others = [...live.values()]
      .map(({ job }) => job.request)
      .filter((each) => each.background || each.stdin === 'live');
    if (others.filter((each) => each.conversationId === conversationId).length >= BACKGROUND_JOBS.perConversation) {
      throw new Fault(
        'resource_exhausted',
        `This conversation has ${BACKGROUND_JOBS.perConversation} background jobs already. End one of them first.`,
      );
    }
    if (others.length >= BACKGROUND_JOBS.atOnce)
      throw new Fault('resource_exhausted', 'Too many background jobs run here already. Try again in 60 s.', {
        meta: { retry_after_seconds: '60' },
      });
  };

  /** What runs in the background holds no place of those that others wait for. */
  const enter = ({ background, stdin, workspaceId }: JobRequest, signal: AbortSignal): Promise<() => void> =>
    background || stdin === 'live' ? Promise.resolve(() => undefined) : admission.enter(workspaceId, signal);

  const carryOut = async (
    job: LiveJob,
    listener: JobListener | undefined,
    onStarted: () => void,
  ): Promise<JobResult> => {
    const { request } = job;
    const leave = await enter(request, job.signal);
    try {
      const { result, changed, changesLost } = await workspaces.withFiles(request, (files) =>
        backend.runJob(
          {
            ...request,
            files,
            outputBytes: request.background ? JOB_LIMITS.backgroundOutputBytes : JOB_LIMITS.outputBytes,
          },
          {
            signal: job.signal,
            onStarted,
            onOutput: (stream, chunk) => {
              job[stream].push(chunk);
              job.printed();
              listener?.onOutput(stream, chunk);
            },
            ...(listener === undefined ? {} : { onInput: (input: JobInput) => listener.onInput(input) }),
          },
        ),
      );
      const last = result.steps.filter(({ ran }) => ran).at(-1);
      return {
        ...UNKNOWN,
        outcome: result.outcome,
        exitCode: last?.exitCode ?? 0,
        signal: last?.signal ?? '',
        oomKilled: result.outcome === 'oom_killed',
        timedOut: result.outcome === 'timed_out',
        durationMs: result.durationMs,
        stdoutTruncated: result.stdoutTruncated,
        stderrTruncated: result.stderrTruncated,
        steps: result.steps,
        changed: [...changed],
        changesLost,
        stdoutAt: job.stdout.from(0).at,
        stderrAt: job.stderr.from(0).at,
      };
    } finally {
      leave();
    }
  };

  const conduct = async (job: LiveJob, listener: JobListener | undefined, onStarted: () => void): Promise<void> => {
    const { request } = job;
    let started = false;
    try {
      const result = await carryOut(job, listener, () => {
        started = true;
        onStarted();
      });
      const output = { stdout: job.stdout.from(0).bytes, stderr: job.stderr.from(0).bytes };
      await record(request, result, output);
      jobsEnded.count({ outcome: result.outcome });
      job.end(result);
      onStarted();
    } catch (error) {
      if (!started) {
        await log.withdraw(request);
        jobsEnded.count({ outcome: 'never_ran' });
        throw job.signal.aborted && !isFault(error)
          ? new Fault('turn_cancelled', 'The job was ended before it started.')
          : error;
      }
      await record(request, UNKNOWN, { stdout: new Uint8Array(), stderr: new Uint8Array() });
      jobsEnded.count({ outcome: UNKNOWN.outcome });
      job.end(UNKNOWN);
    }
  };

  /** A result that is not on record would be unknown later, so a database that is away for a moment is waited for. */
  const record = async (key: ExecutionKey, result: ExecutionResult, output: RecordedOutput): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await log.finish(key, result, output);
        return;
      } catch (cause) {
        if (attempt === 5)
          throw new Fault('outcome_unknown', 'The job ran, and its result could not be recorded.', { cause });
        await delay(attempt * 200);
      }
    }
  };

  const begin = (request: JobRequest, digest: string, listener: JobListener | undefined): Running => {
    const job = new LiveJob(request, digest);
    let onStarted = (): void => undefined;
    const told = new Promise<void>((resolve) => (onStarted = resolve));
    const working = conduct(job, listener, onStarted);
    const started = Promise.race([told, working]);
    const settled = working.catch((error: unknown) => job.fail(error)).finally(() => live.delete(nameOf(request)));
    started.catch(() => undefined);
    const running = { job, started, settled };
    live.set(nameOf(request), running);
    return running;
  };

  const run: Jobs['run'] = async (request, listener) => {
    const digest = jobDigest(request);
    const running = live.get(nameOf(request));
    if (running !== undefined) {
      refuseOther(running.job.digest, digest);
      return running.started;
    }
    refuseCrowd(request);
    const known = await log.begin({
      workspaceId: request.workspaceId,
      executionId: request.executionId,
      conversationId: request.conversationId,
      requestDigest: digest,
      mayRunUntil: new Date(now() + (request.limits.timeoutSeconds + WAITING_SECONDS) * 1_000),
    });
    if (known !== undefined) {
      refuseOther(known.requestDigest, digest);
      // Begun by a call of the same moment.
      return live.get(nameOf(request))?.started;
    }
    return begin(request, digest, listener).started;
  };

  return {
    run,
    read: async ({ since, waitMs, untilEnd, signal, ...key }) => {
      const running = live.get(nameOf(key));
      if (running?.job.request.conversationId === key.conversationId)
        return running.job.read(since, waitMs, untilEnd, signal);
      const known = running === undefined ? await log.find(key, key.conversationId) : undefined;
      if (known === undefined) throw new Fault('not_found', 'There is no such job in this conversation.');
      return readingOf(known, since, now());
    },
    cancel: (key) => {
      const running = live.get(nameOf(key));
      running?.job.cancel();
      return running !== undefined;
    },
    cancelConversation: async (workspaceId, conversationId) => {
      const concerned = [...live.values()].filter(
        ({ job: { request } }) => request.workspaceId === workspaceId && request.conversationId === conversationId,
      );
      for (const { job } of concerned) job.cancel();
      await Promise.all(concerned.map(({ settled }) => settled));
    },
    close: async () => {
      for (const { job } of live.values()) job.cancel();
      await Promise.all([...live.values()].map(({ settled }) => settled));
    },
  };
};

/** What is on record of a job that does not run here. */
const readingOf = (known: KnownExecution, since: Since, now: number): JobReading => {
  if (known.status === 'erased')
    throw new Fault('not_found', 'This job has run, and what came of it is no longer kept.');
  if (known.status === 'started' && !known.mine && known.mayRunUntil.getTime() > now)
    throw new Fault('unavailable', 'This job runs on another runner. Ask again in a moment.');
  // It was begun here, and nobody here knows it any more.
  const stored = known.status === 'finished' ? known : undefined;
  const result: JobResult = { ...UNKNOWN, ...stored?.result, files: [] };
  const rest = (stream: OutputStream, from: number, at: number) => {
    const bytes = stored?.output[stream] ?? new Uint8Array();
    const place = Math.min(Math.max(from, at), at + bytes.length);
    return { at: place, bytes: bytes.subarray(place - at) };
  };
  const stdout = rest('stdout', since.stdout, result.stdoutAt);
  const stderr = rest('stderr', since.stderr, result.stderrAt);
  return {
    result,
    ...{ stdout: stdout.bytes, stdoutAt: stdout.at, stderr: stderr.bytes, stderrAt: stderr.at },
  };
};

const refuseOther = (known: string, asked: string): void => {
  if (known !== asked) throw new Fault('conflict', 'This job id stands for another request. Use a new id.');
};
