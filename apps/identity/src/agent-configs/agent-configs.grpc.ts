/** GetAgentConfig and PutAgentConfig on the wire. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import type { VersionedConfig } from './agent-config.ts';
import type { createGetAgentConfig } from './get-agent-config.ts';
import type { createPutAgentConfig } from './put-agent-config.ts';

export const agentConfigHandlers = (use: {
  getAgentConfig: ReturnType<typeof createGetAgentConfig>;
  putAgentConfig: ReturnType<typeof createPutAgentConfig>;
}): Pick<Handlers<typeof proto.IdentityServiceService>, 'getAgentConfig' | 'putAgentConfig'> => ({
  getAgentConfig: async ({ workspaceId }, { principal }) =>
    toProto(await use.getAgentConfig(actorOf(principal), workspaceId)),
  putAgentConfig: async ({ workspaceId, config, ifMatch }, { principal }) => {
    if (!config) throw new Fault('invalid_argument', 'config is missing.', { meta: { field: 'config' } });
    return toProto(await use.putAgentConfig(actorOf(principal), workspaceId, config, ifMatch));
  },
});

const toProto = ({ config, version }: VersionedConfig): proto.GetAgentConfigResponse => ({
  config: {
    ...config,
    allowedTools: [...config.allowedTools],
    deniedTools: [...config.deniedTools],
    requireApproval: [...config.requireApproval],
  },
  version,
});
