/**
 * Who the agents of this process are: for each its model, its tool servers, when it asks a person, and its limits.
 *
 * An agent that is configured has exactly the bundles it names; where no agent is configured there is one, `worker`, with
 * what there is. A risk profile that is named and not there stops the start.
 */
import path from 'node:path';
import { ConfigError } from './config-error.ts';
import { type Settings, namesUnder } from './settings.ts';
import { integer, list, oneOf, requireUrl } from './values.ts';

export interface ModelConfig {
  readonly uri: string;
  readonly name: string;
  /** `<slot>.<alias>`. */
  readonly provider: string;
  readonly apiKey: string | undefined;
}

export interface McpServerConfig {
  readonly name: string;
  readonly url: string;
  readonly callTimeoutMs: number;
  /** The value of the header, `Bearer …`. */
  readonly authorization: string | undefined;
}

export interface AgentConfig {
  readonly alias: string;
  /** Undefined: it can be reached and cannot answer. */
  readonly model: ModelConfig | undefined;
  readonly servers: readonly McpServerConfig[];
  /** `readonly` calls no tool, `supervised` asks first, `full` leaves asking to the platform behind the tools. */
  readonly level: 'readonly' | 'supervised' | 'full';
  readonly autoApprove: readonly string[];
  readonly alwaysAsk: readonly string[];
  readonly excludedTools: readonly string[];
  readonly maxIterations: number;
  /** History above this many tokens (counted as 4 characters each) is trimmed, oldest first. */
  readonly maxContextTokens: number;
  readonly remembers: boolean;
  /** Where its identity files lie. */
  readonly workspace: string | undefined;
  /** What it is told where no identity file says something else. */
  readonly systemPrompt: string;
}

const DEFAULT_SYSTEM_PROMPT =
  'You are @bravo, an agent that works in one conversation of one workspace. Use the tools you are offered for every ' +
  'effect; never claim an effect that no tool result shows. A tool result that names a reference (ref:N) hides content ' +
  'you may not see: say so, and do not guess it. When a result says that it waits for approval, say so and stop.';

/** Our own tool-call timeout: above the broker's hold of 240 s, so that a held call ends by its answer. */
const CALL_TIMEOUT_SECONDS = '250';
/** Slots of ZeroClaw whose wire format is not OpenAI's. */
const OTHER_WIRES = ['anthropic', 'bedrock', 'gemini', 'ollama'];

export function readAgents(
  settings: Settings,
  prompt: string,
  directory: string | undefined,
): ReadonlyMap<string, AgentConfig> {
  const configured = namesUnder(settings, 'agents');
  const aliases = configured.length > 0 ? configured : ['worker'];
  const agents = new Map<string, AgentConfig>();
  for (const alias of aliases) {
    const of = (key: string): string | undefined => settings.get(`agents.${alias}.${key}`);
    if (of('enabled') === 'false') continue;
    const one = (profile: string | undefined, kind: string) => profileOf(settings, kind, profile, `agents.${alias}`);
    const risk = one(of('risk_profile'), 'risk_profiles');
    const runtime = one(of('runtime_profile'), 'runtime_profiles');
    const listed = (key: string): string[] => list(`${risk.name}.${key}`, risk.get(key) ?? '');
    const limit = (key: string, fallback: string, min: number, max: number) =>
      integer(key, runtime.get(key) ?? fallback, min, max);
    agents.set(alias, {
      alias,
      model: readModel(settings, of('model_provider')),
      servers: readServers(settings, configured.length > 0 ? (of('mcp_bundles') ?? '') : undefined),
      // Who names no profile leaves asking to the platform, which asks whatever a pod thinks of it.
      level: oneOf(`${risk.name}.level`, risk.get('level') ?? 'full', ['readonly', 'supervised', 'full']),
      autoApprove: listed('auto_approve'),
      alwaysAsk: listed('always_ask'),
      excludedTools: listed('excluded_tools'),
      maxIterations: limit('max_tool_iterations', '25', 1, 200),
      maxContextTokens: limit('max_context_tokens', '128000', 1_000, 4_000_000),
      remembers: (of('memory.backend') ?? 'sqlite') !== 'none',
      workspace: of('workspace.path') ?? (directory && path.join(directory, 'agents', alias, 'workspace')),
      systemPrompt: prompt || DEFAULT_SYSTEM_PROMPT,
    });
  }
  if (agents.size === 0)
    throw new ConfigError('Every agent is switched off: set agents.<alias>.enabled = true for one.');
  return agents;
}

interface Profile {
  readonly name: string;
  get(key: string): string | undefined;
}

/** The named profile; the only one where none is named. */
function profileOf(settings: Settings, kind: string, named: string | undefined, who: string): Profile {
  const there = namesUnder(settings, kind);
  if (named !== undefined && kind === 'risk_profiles' && !there.includes(named))
    throw new ConfigError(`${who}.risk_profile names ${named}, and there is no [risk_profiles.${named}].`);
  const name = `${kind}.${named ?? there[0] ?? 'default'}`;
  return { name, get: (key) => settings.get(`${name}.${key}`) };
}

function readModel(settings: Settings, named: string | undefined): ModelConfig | undefined {
  const there = namesUnder(settings, 'providers.models', 2);
  if (named === undefined && there.length > 1)
    throw new ConfigError(
      `Several models are configured (${there.join(', ')}); name one in agents.<alias>.model_provider.`,
    );
  const provider = named ?? there[0];
  if (provider === undefined || !there.includes(provider)) return undefined;
  const of = (key: string): string | undefined => settings.get(`providers.models.${provider}.${key}`);
  const slot = provider.split('.')[0] ?? '';
  if (OTHER_WIRES.includes(slot) || of('wire_api') === 'responses') {
    throw new ConfigError(
      `providers.models.${provider} speaks a wire format this runtime does not; use providers.models.custom.<alias> with the uri of an OpenAI-compatible endpoint.`,
    );
  }
  return {
    uri: requireUrl(`providers.models.${provider}.uri`, of('uri') ?? ''),
    name: of('model') ?? 'default',
    provider,
    apiKey: of('api_key'),
  };
}

/** `bundles` is undefined where no agent is configured: then every server is taken. */
function readServers(settings: Settings, bundles: string | undefined): McpServerConfig[] {
  if ((settings.get('mcp.enabled') ?? 'true') !== 'true') return [];
  const names =
    bundles === undefined
      ? namesUnder(settings, 'mcp.servers')
      : list('mcp_bundles', bundles).flatMap((bundle) =>
          list(`mcp_bundles.${bundle}.servers`, settings.get(`mcp_bundles.${bundle}.servers`) ?? ''),
        );
  return [...new Set(names)].map((name) => {
    const of = (key: string): string | undefined => settings.get(`mcp.servers.${name}.${key}`);
    oneOf(`mcp.servers.${name}.transport`, of('transport') ?? 'http', ['http']);
    return {
      name,
      url: requireUrl(`mcp.servers.${name}.url`, of('url') ?? ''),
      callTimeoutMs: 1_000 * integer('tool_timeout_secs', of('tool_timeout_secs') ?? CALL_TIMEOUT_SECONDS, 1, 600),
      authorization: of('headers.authorization'),
    };
  });
}
