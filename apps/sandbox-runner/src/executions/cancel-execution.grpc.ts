/** CancelExecution on the wire; an execution of another workspace is none. */
import type { Handlers } from '@bravo/chassis';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import { callerWorkspace } from '../access/caller-workspace.ts';
import type { ExecutionKey } from './execution.ts';

/** @param cancels of every kind of execution there is: an id stands for one of them. */
export const cancelExecutionHandler = (
  ...cancels: readonly { cancel(key: ExecutionKey): boolean }[]
): Pick<Handlers<typeof SandboxServiceService>, 'cancelExecution'> => ({
  cancelExecution: async ({ executionId }, { principal }) => {
    const key = { workspaceId: callerWorkspace(principal), executionId };
    return { cancelled: cancels.map((each) => each.cancel(key)).includes(true) };
  },
});
