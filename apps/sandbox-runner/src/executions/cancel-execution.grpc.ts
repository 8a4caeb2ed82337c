/** CancelExecution on the wire; an execution of another workspace is none. */
import type { Handlers } from '@bravo/chassis';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import { callerWorkspace } from '../access/caller-workspace.ts';
import type { Executions } from './run-execution.ts';

export const cancelExecutionHandler = (
  executions: Executions,
): Pick<Handlers<typeof SandboxServiceService>, 'cancelExecution'> => ({
  cancelExecution: async ({ executionId }, { principal }) => ({
    cancelled: executions.cancel({ workspaceId: callerWorkspace(principal), executionId }),
  }),
});
