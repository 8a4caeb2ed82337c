/** Before a delegate's conversation is erased: what it left running ends, and what that changed is marked for everybody who shares the files. */
import { Fault, isFault } from '@bravo/faults';
import { UNKNOWN_END } from '../jobs/follow-jobs.ts';
import type { Jobs, KnownJob } from '../jobs/job.ts';
import type { JobReading, Sandbox } from '../sandbox/sandbox.ts';

export interface EndDelegateJobsParts {
  readonly jobs: Pick<Jobs, 'runningIn' | 'settle'>;
  readonly sandbox: Pick<Sandbox, 'cancelJob' | 'readJob'>;
}

const END_SECONDS = 10;

/** @throws Fault unavailable where one has not ended yet: whoever asks comes again. */
export const endDelegateJobs = async (
  { jobs, sandbox }: EndDelegateJobsParts,
  conversationId: string,
): Promise<void> => {
  for (const job of await jobs.runningIn(conversationId)) {
    const end = await endOf(sandbox, { ...job });
    if (!end.ended) throw new Fault('unavailable', 'A program of the delegate has not ended yet.');
    await jobs.settle(job, end, false);
  }
};

const endOf = async (sandbox: EndDelegateJobsParts['sandbox'], job: KnownJob): Promise<JobReading> => {
  try {
    await sandbox.cancelJob(job, job.id);
    const look = { jobId: job.id, stdoutFrom: 0, stderrFrom: 0, waitSeconds: END_SECONDS, untilEnd: true };
    return await sandbox.readJob(job, look);
  } catch (error) {
    if (isFault(error) && error.code === 'not_found') return UNKNOWN_END;
    throw error;
  }
};
