/** ReadJobOutput on the wire; a job of another workspace or conversation is none. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import { callerWorkspace } from '../access/caller-workspace.ts';
import { JOB_LIMITS } from './job.ts';
import type { Jobs } from './jobs.ts';

export const readJobOutputHandler = (
  jobs: Pick<Jobs, 'read'>,
): Pick<Handlers<typeof SandboxServiceService>, 'readJobOutput'> => ({
  readJobOutput: async (asked, { principal, signal }) => {
    const { jobId, conversationId, stdoutFrom, stderrFrom, waitSeconds, untilEnd } = asked;
    if (waitSeconds < 0 || waitSeconds > JOB_LIMITS.waitSeconds)
      throw new Fault('invalid_argument', `A look waits 0 to ${JOB_LIMITS.waitSeconds} seconds.`, {
        meta: { field: 'wait_seconds' },
      });
    if (stdoutFrom < 0 || stderrFrom < 0)
      throw new Fault('invalid_argument', 'A place in the output is 0 or more.', { meta: { field: 'stdout_from' } });
    const reading = await jobs.read({
      workspaceId: callerWorkspace(principal),
      executionId: jobId,
      conversationId,
      since: { stdout: stdoutFrom, stderr: stderrFrom },
      waitMs: waitSeconds * 1_000,
      untilEnd,
      signal,
    });
    const { result } = reading;
    return {
      ended: result !== undefined,
      outcome: result?.outcome ?? '',
      steps: (result?.steps ?? []).map((step) => ({ ...step })),
      stdout: Buffer.from(reading.stdout),
      stdoutAt: reading.stdoutAt,
      stderr: Buffer.from(reading.stderr),
      stderrAt: reading.stderrAt,
      stdoutTruncated: result?.stdoutTruncated ?? false,
      stderrTruncated: result?.stderrTruncated ?? false,
      durationMs: result?.durationMs ?? 0,
      changed: [...(result?.changed ?? [])],
      changesLost: result?.changesLost ?? false,
    };
  },
});
