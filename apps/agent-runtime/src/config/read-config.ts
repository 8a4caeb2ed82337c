/**
 * Turns the process environment into the runtime's whole configuration, or stops the start with one sentence.
 *
 * It never ignores a lowercase `ZEROCLAW_` name it does not know (a typo in a security setting must not
 * start a weaker pod), and it never reads an empty or missing value as "no restriction".
 */
import { ConfigError } from './config-error.ts';
import { parseOverrides } from './parse-overrides.ts';

export interface RuntimeConfig {
  readonly host: string;
  readonly port: number;
  /** Lowercase sha256 hex of every token that may speak to this pod; empty means nobody may. */
  readonly tokenHashes: readonly string[];
  readonly agent: string;
  readonly systemPrompt: string;
  readonly maxIterations: number;
  /** History above this many tokens (counted as 4 characters each) is trimmed, oldest first. */
  readonly maxContextTokens: number;
  readonly mcp: { readonly server: string; readonly url: string; readonly callTimeoutMs: number };
  readonly model: { readonly uri: string; readonly name: string; readonly provider: string };
  /** Where the agent token comes from: `fd:<n>` or `file:<path>`. */
  readonly tokenSource: string;
}

const DEFAULT_SYSTEM_PROMPT =
  'You are @bravo, an agent that works in one conversation of one workspace. Use the tools you are offered for every ' +
  'effect; never claim an effect that no tool result shows. A tool result that names a reference (ref:N) hides content ' +
  'you may not see: say so, and do not guess it. When a result says that it waits for approval, say so and stop.';

/** Our own tool-call timeout: above the broker's hold of 240 s, so that a held call ends by its answer. */
const CALL_TIMEOUT_SECONDS = 250;

export function readConfig(env: Readonly<Record<string, string | undefined>>): RuntimeConfig {
  const overrides = parseOverrides(env);
  const one = (path: string, fallback: string): string => overrides.get(path) ?? fallback;
  const agent = only(overrides, /^agents\.([a-z0-9_]+)\./, 'worker', 'agent');
  const server = only(overrides, /^mcp\.servers\.([a-z0-9_]+)\./, 'platform', 'MCP server');
  const model = only(overrides, /^providers\.models\.([a-z0-9_]+\.[a-z0-9_]+)\./, 'custom.main', 'model provider');

  if (one('gateway.require_pairing', 'true') !== 'true') {
    throw new ConfigError(
      'ZEROCLAW_gateway__require_pairing must be true: this runtime never serves without a bearer token.',
    );
  }
  const tokenSource = env['BRAVO_TOKEN_SOURCE'] ?? '';
  if (!/^(fd:\d+|file:.+)$/.test(tokenSource)) {
    throw new ConfigError(
      'BRAVO_TOKEN_SOURCE must be fd:<number> or file:<path>: it says where the agent token is read from.',
    );
  }
  return {
    host: one('gateway.host', '127.0.0.1'),
    port: integer('gateway.port', one('gateway.port', '42617'), 0, 65_535),
    tokenHashes: list(one('gateway.paired_tokens', '')).map(requireHash),
    agent,
    systemPrompt: env['BRAVO_SYSTEM_PROMPT']?.trim() || DEFAULT_SYSTEM_PROMPT,
    maxIterations: integer('max_tool_iterations', profile(overrides, 'max_tool_iterations') ?? '25', 1, 200),
    maxContextTokens: integer(
      'max_context_tokens',
      profile(overrides, 'max_context_tokens') ?? '128000',
      1_000,
      4_000_000,
    ),
    mcp: {
      server,
      url: requireUrl(`mcp.servers.${server}.url`, one(`mcp.servers.${server}.url`, '')),
      callTimeoutMs:
        1_000 *
        integer(
          'tool_timeout_secs',
          one(`mcp.servers.${server}.tool_timeout_secs`, String(CALL_TIMEOUT_SECONDS)),
          1,
          600,
        ),
    },
    model: {
      uri: requireUrl(`providers.models.${model}.uri`, one(`providers.models.${model}.uri`, '')),
      name: one(`providers.models.${model}.model`, 'default'),
      provider: model,
    },
    tokenSource,
  };
}

/** The runtime is one agent with one MCP server and one model; a second name is a mistake, not a choice. */
function only(overrides: ReadonlyMap<string, string>, pattern: RegExp, fallback: string, what: string): string {
  const names = new Set(
    [...overrides.keys()].map((key) => pattern.exec(key)?.[1]).filter((name) => name !== undefined),
  );
  if (names.size > 1)
    throw new ConfigError(`Exactly one ${what} can be configured here; found ${[...names].join(', ')}.`);
  return [...names][0] ?? fallback;
}

function profile(overrides: ReadonlyMap<string, string>, key: string): string | undefined {
  return [...overrides].find(([path]) => path.startsWith('runtime_profiles.') && path.endsWith(`.${key}`))?.[1];
}

function list(value: string): string[] {
  const text = value.trim();
  if (!text.startsWith('['))
    return text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((item) => typeof item === 'string')) return parsed;
  } catch {
    // Told below, in the words of the setting and not of the JSON parser.
  }
  throw new ConfigError('ZEROCLAW_gateway__paired_tokens must be a JSON array of strings or a comma-separated list.');
}

/** Only hashes are taken (ZeroClaw also hashes plain tokens): a plain token in an environment is a leak we can refuse. */
function requireHash(value: string): string {
  if (!/^[0-9a-fA-F]{64}$/.test(value)) {
    throw new ConfigError(
      'ZEROCLAW_gateway__paired_tokens must hold the sha256 of each token as 64 hex digits, never the token itself.',
    );
  }
  return value.toLowerCase();
}

function requireUrl(path: string, value: string): string {
  const name = `ZEROCLAW_${path.replaceAll('.', '__')}`;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(
      `${name} must be an http or https address; it is ${value === '' ? 'not set' : JSON.stringify(value)}.`,
    );
  }
  return value;
}

function integer(name: string, value: string, min: number, max: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(value)}.`);
}
