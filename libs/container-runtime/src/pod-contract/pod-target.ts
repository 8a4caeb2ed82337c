/** What the contract of agent pods is checked against: a running program, and a way to start others where there is one. */
import type { ContractPeers } from './contract-peers.fixture.ts';

export interface PodTarget {
  /** `http://host:port`, without a slash at its end. */
  readonly baseUrl: string;
  /** What the pod was told the hash of. */
  readonly token: string;
}

export interface StartedPod extends PodTarget {
  readonly pid: number;
  /** What it printed so far. */
  output(): string;
  /** Sends the signal and waits for the end. @returns the exit code, or null when a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  exited(): Promise<number | null>;
}

export interface PodHarness {
  /** The pod that was started with `contractSettings(peers)`. */
  target(): PodTarget;
  /** The model and the tools it was given. */
  peers(): ContractPeers;
  /** Starts another with these settings on a port of its own; absent where only an address is known. Resolves once it serves or has exited. */
  start?(settings: ContractSettings, more?: Readonly<Record<string, string>>): Promise<StartedPod>;
}

/** Dotted paths of `config.toml`. */
export type ContractSettings = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The agent that never asks, and the one that asks before each tool. */
export const AGENT = 'worker';
export const CAREFUL_AGENT = 'careful';
/** Long enough for a busy machine, short enough to wait for. */
export const REQUEST_TIMEOUT_SECONDS = 4;

/** Everything a pod of this contract has to be started with. `tokenHashes` are sha256 in hex. */
export const contractSettings = (
  peers: Pick<ContractPeers, 'modelUrl' | 'mcpUrl' | 'token'>,
  tokenHashes: readonly string[],
): ContractSettings => ({
  schema_version: 3,
  'providers.models.custom.main.uri': peers.modelUrl,
  'providers.models.custom.main.model': 'contract-model',
  'providers.models.custom.main.native_tools': true,
  'providers.models.custom.main.api_key': peers.token,
  [`agents.${AGENT}.model_provider`]: 'custom.main',
  [`agents.${AGENT}.risk_profile`]: 'mcp_only',
  [`agents.${AGENT}.runtime_profile`]: 'chat',
  [`agents.${AGENT}.mcp_bundles`]: ['platform'],
  [`agents.${CAREFUL_AGENT}.model_provider`]: 'custom.main',
  [`agents.${CAREFUL_AGENT}.risk_profile`]: 'asks',
  [`agents.${CAREFUL_AGENT}.runtime_profile`]: 'chat',
  [`agents.${CAREFUL_AGENT}.mcp_bundles`]: ['platform'],
  'risk_profiles.mcp_only.level': 'full',
  'risk_profiles.mcp_only.allowed_tools': ['no_builtins'],
  'risk_profiles.asks.level': 'supervised',
  'risk_profiles.asks.allowed_tools': ['no_builtins'],
  'risk_profiles.asks.auto_approve': ['platform__echo'],
  'runtime_profiles.chat.max_tool_iterations': 10,
  'runtime_profiles.chat.max_context_tokens': 128_000,
  'mcp.enabled': true,
  'mcp.servers.platform.transport': 'http',
  'mcp.servers.platform.url': peers.mcpUrl,
  'mcp.servers.platform.headers.authorization': `Bearer ${peers.token}`,
  'mcp_bundles.platform.servers': ['platform'],
  'memory.backend': 'sqlite',
  'memory.auto_save': false,
  'gateway.require_pairing': true,
  'gateway.paired_tokens': tokenHashes,
  'gateway.request_timeout_secs': REQUEST_TIMEOUT_SECONDS,
  'gateway.check_updates': false,
});

/** As ZeroClaw's environment overrides. */
export const asEnvironment = (settings: ContractSettings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([path, value]) => [
      `ZEROCLAW_${path.replaceAll('.', '__')}`,
      Array.isArray(value) ? JSON.stringify(value) : String(value),
    ]),
  );

/** As `config.toml`: dotted keys, but for the servers, which are a list with names. */
export const asToml = (settings: ContractSettings): string => {
  const literal = (value: unknown): string => JSON.stringify(value);
  const servers = new Map<string, string[]>();
  const lines: string[] = [];
  for (const [path, value] of Object.entries(settings)) {
    const [, name, key] = /^mcp\.servers\.([^.]+)\.(.+)$/.exec(path) ?? [];
    if (name === undefined) lines.push(`${path} = ${literal(value)}`);
    else servers.set(name, [...(servers.get(name) ?? []), `${key} = ${literal(value)}`]);
  }
  for (const [name, keys] of servers) lines.push('', '[[mcp.servers]]', `name = "${name}"`, ...keys);
  return `${lines.join('\n')}\n`;
};
