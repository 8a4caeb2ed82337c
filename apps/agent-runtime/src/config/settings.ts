/** The settings of `config.toml` that are understood, as dotted paths; a name that is not here is none, whoever gives it. */

const NAME = '[a-z0-9_]+';

/** Some configure parts this runtime does not have; they are accepted so that one manifest fits ZeroClaw and ours. */
const KNOWN = [
  'schema_version',
  'gateway.(host|port|paired_tokens|require_pairing|allow_public_bind|request_timeout_secs|long_running_request_timeout_secs|check_updates|path_prefix)',
  `channels.webhook.${NAME}.(secret|enabled)`,
  'mcp.enabled',
  `mcp.servers.${NAME}.(name|transport|url|tool_timeout_secs)`,
  `mcp.servers.${NAME}.headers.[a-z0-9_-]+`,
  `mcp_bundles.${NAME}.servers`,
  `providers.models.${NAME}.${NAME}.(api_key|uri|model|native_tools|timeout_secs|max_tokens|wire_api)`,
  `agents.${NAME}.(enabled|model_provider|risk_profile|runtime_profile|mcp_bundles)`,
  `agents.${NAME}.(workspace.path|memory.backend)`,
  `risk_profiles.${NAME}.(level|allowed_tools|excluded_tools|auto_approve|always_ask)`,
  `runtime_profiles.${NAME}.(max_tool_iterations|max_context_tokens|compact_context|parallel_tools)`,
  'memory.(backend|auto_save)',
  'secrets.encrypt',
  'cost.(enabled|mode)',
  'heartbeat.enabled',
  'reliability.provider_retries',
].map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.')}$`));

export const isSetting = (path: string): boolean => KNOWN.some((pattern) => pattern.test(path));

/** Values of one layer or of all; lists are JSON text, as an environment would carry them. */
export type Settings = ReadonlyMap<string, string>;

/** Names that follow `prefix`, `depth` parts each and each once, in the order in which they were given. */
export function namesUnder(settings: Settings, prefix: string, depth = 1): string[] {
  const parts = prefix.split('.').length;
  const names = [...settings.keys()].filter((key) => key.startsWith(`${prefix}.`));
  return [
    ...new Set(
      names.map((key) =>
        key
          .split('.')
          .slice(parts, parts + depth)
          .join('.'),
      ),
    ),
  ];
}
