/**
 * Turns `config.toml` and the process environment into the runtime's whole configuration, or stops the start with one
 * sentence. What the environment says goes over what the file says.
 *
 * It never ignores a lowercase `ZEROCLAW_` name it does not know (a typo in a security setting must not
 * start a weaker pod), and it never reads an empty or missing value as "no restriction".
 */
import path from 'node:path';
import { ConfigError } from './config-error.ts';
import { parseOverrides } from './parse-overrides.ts';
import { type AgentConfig, readAgents } from './read-agents.ts';
import { installDirectory, readConfigFile } from './read-config-file.ts';
import { namesUnder } from './settings.ts';
import { integer, list, oneOf } from './values.ts';

export interface RuntimeConfig {
  readonly host: string;
  readonly port: number;
  /** Prefix of every path, without a slash at its end; empty for none. */
  readonly pathPrefix: string;
  /** Lowercase sha256 hex of every token that may speak to this pod; with none, a pairing code lets the first one in. */
  readonly tokenHashes: readonly string[];
  readonly requestTimeoutMs: number;
  /** What `/webhook` wants in `X-Webhook-Secret`, where it wants it. */
  readonly webhookSecret: string | undefined;
  /** By alias; never empty. */
  readonly agents: ReadonlyMap<string, AgentConfig>;
  readonly memory: { readonly backend: 'sqlite' | 'none'; readonly autoSave: boolean };
  /** The one directory that is written to; undefined where there is none, and then nothing is kept. */
  readonly installDirectory: string | undefined;
  /** Where the agent token comes from: `fd:<n>` or `file:<path>`; undefined where each peer has a credential of its own. */
  readonly tokenSource: string | undefined;
  /** What was passed over, one sentence each; for the log. */
  readonly notices: readonly string[];
}

export function readConfig(env: Readonly<Record<string, string | undefined>>): RuntimeConfig {
  const directory = installDirectory(env);
  const overrides = parseOverrides(env);
  const file =
    directory === undefined
      ? { settings: new Map(), notices: [] }
      : readConfigFile(path.join(directory, 'config.toml'));
  const settings = new Map<string, string>([...file.settings, ...overrides]);
  const one = (key: string, fallback: string): string => settings.get(key) ?? fallback;

  if (one('gateway.require_pairing', 'true') !== 'true') {
    throw new ConfigError(
      'ZEROCLAW_gateway__require_pairing must be true: this runtime never serves without a bearer token.',
    );
  }
  const prefix = one('gateway.path_prefix', '').replace(/\/+$/, '');
  if (!/^(\/[A-Za-z0-9._~/-]+)?$/.test(prefix))
    throw new ConfigError('gateway.path_prefix must begin with a slash and hold letters, digits, ., _, ~, - and /.');
  const secrets = namesUnder(settings, 'channels.webhook').flatMap(
    (name) => settings.get(`channels.webhook.${name}.secret`) ?? [],
  );
  if (secrets.length > 1) throw new ConfigError('Only one channels.webhook may have a secret here.');
  const tokenSource = readTokenSource(env, settings);
  return {
    host: one('gateway.host', '127.0.0.1'),
    port: integer('gateway.port', one('gateway.port', '42617'), 0, 65_535),
    pathPrefix: prefix,
    tokenHashes: list('gateway.paired_tokens', one('gateway.paired_tokens', '')).map(requireHash),
    requestTimeoutMs:
      1_000 * integer('gateway.request_timeout_secs', one('gateway.request_timeout_secs', '30'), 1, 3_600),
    webhookSecret: secrets[0],
    agents: readAgents(settings, env['BRAVO_SYSTEM_PROMPT']?.trim() ?? '', directory),
    memory: {
      backend: oneOf('memory.backend', one('memory.backend', 'sqlite'), ['sqlite', 'none']),
      autoSave: one('memory.auto_save', 'false') === 'true',
    },
    installDirectory: directory,
    tokenSource,
    notices: file.notices,
  };
}

/** The platform gives one token out of band; ZeroClaw's own way, a credential for each peer, is taken where there is no such token. */
function readTokenSource(env: Readonly<Record<string, string | undefined>>, settings: ReadonlyMap<string, string>) {
  const source = env['BRAVO_TOKEN_SOURCE'] ?? '';
  const own = [...settings.keys()].find((key) => /\.(api_key|headers\.authorization)$/.test(key));
  if (source === '' && own !== undefined) return undefined;
  if (!/^(fd:\d+|file:.+)$/.test(source)) {
    throw new ConfigError(
      'BRAVO_TOKEN_SOURCE must be fd:<number> or file:<path>: it says where the agent token is read from. Without it, set mcp.servers.<name>.headers.authorization and providers.models.<slot>.<name>.api_key.',
    );
  }
  if (own !== undefined)
    throw new ConfigError(`Both BRAVO_TOKEN_SOURCE and ${own} say which token to use; keep one of them.`);
  return source;
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
