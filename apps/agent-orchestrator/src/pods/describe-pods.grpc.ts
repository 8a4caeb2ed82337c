/** DescribePods on the wire: what the container runtime says of itself. */
import type { Handlers } from '@bravo/chassis';
import type { ContainerRuntime } from '@bravo/container-runtime';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';

export const describePodsHandler = (
  runtime: Pick<ContainerRuntime, 'describe'>,
): Pick<Handlers<typeof OrchestratorServiceService>, 'describePods'> => ({
  describePods: async () => ({ ...(await runtime.describe()) }),
});
