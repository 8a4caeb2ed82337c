/** DescribeSandbox on the wire: whether programs can run here, and if not, why and what to do. */
import type { Handlers } from '@bravo/chassis';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import type { SandboxBackend } from './sandbox-backend.port.ts';

export const describeSandboxHandler = (
  backend: SandboxBackend,
): Pick<Handlers<typeof SandboxServiceService>, 'describeSandbox'> => ({
  describeSandbox: async () => {
    const { available, reason, backend: name, languages } = await backend.describe();
    return { available, reason, backend: name, languages: [...languages] };
  },
});
