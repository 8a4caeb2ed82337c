/** RunJob on the wire: the plan is checked before anything starts; the answer comes once it has. */
import type { Handlers } from '@bravo/chassis';
import type { RunPlan, SandboxServiceService } from '@bravo/proto/sandbox';
import { callerWorkspace } from '../access/caller-workspace.ts';
import { type AskedJob, checkJobRequest } from './check-job-request.ts';
import type { Jobs } from './jobs.ts';

const NO_LIMITS = { timeoutSeconds: 0, memoryMb: 0, cpu: 0 };

export const runJobHandler = (jobs: Pick<Jobs, 'run'>): Pick<Handlers<typeof SandboxServiceService>, 'runJob'> => ({
  runJob: async ({ jobId, conversationId, plan, directory, stdin, limits, background }, { principal }) => {
    const request = checkJobRequest({
      workspaceId: callerWorkspace(principal),
      ...{ jobId, conversationId, directory, stdin, background },
      plan: planOf(plan),
      limits: limits ?? NO_LIMITS,
    });
    await jobs.run(request);
    return { limits: request.limits, notices: [...request.notices] };
  },
});

const planOf = (plan: RunPlan | undefined): AskedJob['plan'] => plan;
