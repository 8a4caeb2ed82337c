/**
 * Reads ZeroClaw's environment overrides: `ZEROCLAW_` + a lowercase path with `__` for dots.
 *
 * An unknown lowercase name stops the start, exactly as ZeroClaw does; all-uppercase names are older settings of
 * ZeroClaw and are ignored there and here. It never guesses what a misspelt name meant.
 */
import { ConfigError } from './config-error.ts';

const PREFIX = 'ZEROCLAW_';
const NAME = '[a-z0-9_]+';

/** Every path that is understood. Some configure parts this runtime does not have; they are accepted so that one manifest fits both. */
const KNOWN = [
  'schema_version',
  'gateway.(host|port|paired_tokens|require_pairing|allow_public_bind|request_timeout_secs|check_updates)',
  'mcp.enabled',
  `mcp.servers.${NAME}.(name|transport|url|tool_timeout_secs)`,
  `mcp_bundles.${NAME}.servers`,
  `providers.models.${NAME}.${NAME}.(uri|model|native_tools|timeout_secs|max_tokens)`,
  `agents.${NAME}.(model_provider|risk_profile|runtime_profile|mcp_bundles)`,
  `agents.${NAME}.(workspace.path|memory.backend)`,
  `risk_profiles.${NAME}.(level|allowed_tools|excluded_tools)`,
  `runtime_profiles.${NAME}.(max_tool_iterations|max_context_tokens|compact_context|parallel_tools)`,
  'memory.(backend|auto_save)',
].map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.')}$`));

/** Path with dots → value, for every override in `env`. Throws `ConfigError` on a name it does not know. */
export function parseOverrides(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const overrides = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    const tail = name.slice(PREFIX.length);
    if (!/[a-z]/.test(tail)) continue;
    const path = tail.replaceAll('__', '.');
    if (!KNOWN.some((pattern) => pattern.test(path))) {
      throw new ConfigError(`${name} is no setting of this runtime; correct the name or remove it.`);
    }
    overrides.set(path, value);
  }
  return overrides;
}
