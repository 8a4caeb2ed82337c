/** DescribeSandbox on the wire: whether programs can run and files can be opened here, and if not as they should, why and what to do. */
import type { Handlers } from '@bravo/chassis';
import { toFault } from '@bravo/faults';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import type { Toolboxes } from '../workspaces/toolbox.port.ts';
import type { SandboxBackend } from './sandbox-backend.port.ts';

export const describeSandboxHandler = (
  backend: SandboxBackend,
  toolboxes: Pick<Toolboxes, 'describe'>,
): Pick<Handlers<typeof SandboxServiceService>, 'describeSandbox'> => ({
  describeSandbox: async () => {
    const { available, reason, backend: name, languages } = await backend.describe();
    const files = await toolboxes
      .describe()
      .catch((error: unknown) => ({ isolation: '', reason: toFault(error).detail }));
    return {
      available,
      reason,
      backend: name,
      languages: [...languages],
      filesIsolation: files.isolation,
      filesReason: files.reason,
    };
  },
});
