/** Looks after jobs whose end nobody waits for: it is settled and told once, also when the process that started them is gone. */
import { isFault } from '@bravo/faults';
import type { JobReading, Sandbox } from '../sandbox/sandbox.ts';
import type { Jobs, KnownJob } from './job.ts';

export interface FollowJobsParts {
  readonly jobs: Pick<Jobs, 'running' | 'settle'>;
  readonly sandbox: Pick<Sandbox, 'readJob'>;
  readonly onError: (error: unknown, job: string) => void;
}

/** Of a job that the sandbox says nobody began, or no longer knows. */
export const UNKNOWN_END: JobReading = {
  ...{ ended: true, outcome: 'outcome_unknown', steps: [], durationMs: 0, changed: [], changesLost: true },
  ...{ stdout: new Uint8Array(), stdoutAt: 0, stderr: new Uint8Array(), stderrAt: 0 },
  ...{ stdoutTruncated: false, stderrTruncated: false },
};

export const createFollowJobs =
  ({ jobs, sandbox, onError }: FollowJobsParts) =>
  async (): Promise<void> => {
    for (const job of await jobs.running()) {
      try {
        const end = await lookAt(sandbox, job);
        if (end !== undefined) await jobs.settle(job, end, true);
      } catch (error) {
        onError(error, job.id);
      }
    }
  };

/** Undefined while it runs, or while nobody can say. */
const lookAt = async (sandbox: Pick<Sandbox, 'readJob'>, job: KnownJob): Promise<JobReading | undefined> => {
  try {
    const look = { jobId: job.id, stdoutFrom: 0, stderrFrom: 0, waitSeconds: 0, untilEnd: true };
    const reading = await sandbox.readJob(job, look);
    return reading.ended ? reading : undefined;
  } catch (error) {
    if (!isFault(error) || error.code !== 'not_found') throw error;
    // A line that is just being started is not known there yet; whoever starts it settles it.
    return job.number === 0 ? undefined : UNKNOWN_END;
  }
};
