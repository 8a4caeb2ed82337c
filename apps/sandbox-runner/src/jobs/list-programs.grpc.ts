/** ListPrograms on the wire: names that a step may use, as the sandbox itself finds them. */
import type { Handlers } from '@bravo/chassis';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import type { JobBackend } from './job-backend.port.ts';

export const listProgramsHandler = (
  backend: Pick<JobBackend, 'programs'>,
): Pick<Handlers<typeof SandboxServiceService>, 'listPrograms'> => ({
  listPrograms: async () => ({
    programs: [...(await backend.programs())].map(([name, path]) => ({ name, path })),
  }),
});
