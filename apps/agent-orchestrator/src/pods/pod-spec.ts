/** What a pod is given: where its two services are, whom to answer, and its token out of band. Never a key or an address of anything else. */
import { createHash } from 'node:crypto';
import type { ContainerSpec, Endpoint } from '@bravo/container-runtime';

export interface PodPrograms {
  /** Program and arguments of the agent runtime. */
  readonly command: readonly string[];
  /** For runtimes that have images. */
  readonly image?: string;
  readonly mcpUrl: string;
  readonly modelUrl: string;
  readonly memoryLimitBytes: number;
}

/** The alias every runtime of the contract is configured with. */
export const AGENT_ALIAS = 'worker';

const endpointOf = (address: string): Endpoint => {
  const { hostname, port, protocol } = new URL(address);
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
};

export const podSpec = (
  programs: PodPrograms,
  pod: { readonly id: string; readonly token: string; readonly secret: string },
): ContainerSpec => ({
  name: pod.id,
  labels: { 'bravo.dev/part': 'agent-pod' },
  ...(programs.image !== undefined && { image: programs.image }),
  command: programs.command,
  env: {
    ZEROCLAW_gateway__require_pairing: 'true',
    ZEROCLAW_gateway__paired_tokens: JSON.stringify([createHash('sha256').update(pod.secret).digest('hex')]),
    ZEROCLAW_mcp__servers__platform__url: programs.mcpUrl,
    ZEROCLAW_providers__models__custom__main__uri: programs.modelUrl,
    // The model gateway decides which model that is.
    ZEROCLAW_providers__models__custom__main__model: 'default',
    ZEROCLAW_providers__models__custom__main__native_tools: 'true',
    ZEROCLAW_mcp__enabled: 'true',
    ZEROCLAW_mcp__servers__platform__transport: 'http',
    ZEROCLAW_mcp_bundles__platform__servers: '["platform"]',
    // Its tools are the broker's and nothing else; the broker is who asks, so the runtime never does.
    ZEROCLAW_risk_profiles__mcp_only__level: 'full',
    ZEROCLAW_risk_profiles__mcp_only__allowed_tools: '["no_builtins"]',
    // The model gateway makes requests fit their model, and says so. A runtime that trims before it would do it unseen.
    ZEROCLAW_runtime_profiles__chat__max_context_tokens: '2000000',
    ZEROCLAW_runtime_profiles__chat__compact_context: 'false',
    [`ZEROCLAW_agents__${AGENT_ALIAS}__runtime_profile`]: 'chat',
    [`ZEROCLAW_agents__${AGENT_ALIAS}__model_provider`]: 'custom.main',
    [`ZEROCLAW_agents__${AGENT_ALIAS}__risk_profile`]: 'mcp_only',
    [`ZEROCLAW_agents__${AGENT_ALIAS}__mcp_bundles`]: '["platform"]',
  },
  secret: { value: JSON.stringify({ agent_token: pod.token }), sourceVariable: 'BRAVO_TOKEN_SOURCE' },
  listen: { hostVariable: 'ZEROCLAW_gateway__host', portVariable: 'ZEROCLAW_gateway__port' },
  reaches: [endpointOf(programs.mcpUrl), endpointOf(programs.modelUrl)],
  memoryLimitBytes: programs.memoryLimitBytes,
});
