/** The tools of the person's workspace with what its policy makes of each; it offers nothing to anybody. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { createListTools } from './list-tools.ts';

export const listToolsHandler = (
  listTools: ReturnType<typeof createListTools>,
): Pick<Handlers<typeof BrokerServiceService>, 'listTools'> => ({
  listTools: async (_request, { principal }) => {
    const tools = await listTools(personOf(principal).workspaceId);
    return {
      tools: tools.map(({ manifest, state, reason }) => ({
        name: manifest.name,
        title: manifest.title,
        description: manifest.description,
        effect: manifest.effect,
        external: manifest.external,
        permission: manifest.permission,
        modes: [...manifest.modes],
        policyState: state,
        policyReason: reason,
        family: manifest.family,
      })),
    };
  },
});
