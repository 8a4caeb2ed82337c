/**
 * Reads `config.toml` into the same dotted paths that the environment uses, so that one reader serves both.
 *
 * A file that is no TOML stops the start; a setting nobody knows is told and passed over, as ZeroClaw does, except in
 * `risk_profiles`: what was meant to bind an agent must not be passed over.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { ConfigError } from './config-error.ts';
import { isSetting } from './settings.ts';

export interface ConfigFile {
  readonly settings: ReadonlyMap<string, string>;
  /** One sentence each. */
  readonly notices: readonly string[];
}

/**
 * The one writable directory: `ZEROCLAW_CONFIG_DIR`, else `.zeroclaw` beside the data directory (as ZeroClaw's image has
 * it) or in the home directory.
 */
export function installDirectory(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env['ZEROCLAW_CONFIG_DIR']) return env['ZEROCLAW_CONFIG_DIR'];
  if (env['ZEROCLAW_DATA_DIR']) return path.join(path.dirname(env['ZEROCLAW_DATA_DIR']), '.zeroclaw');
  return env['HOME'] ? path.join(env['HOME'], '.zeroclaw') : undefined;
}

/** No file is an empty one. Throws `ConfigError`. */
export function readConfigFile(file: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return { settings: new Map(), notices: [] };
    throw new ConfigError(`${file} could not be read: ${(error as Error).message}.`);
  }
  try {
    return flatten(parse(text));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Without the excerpt the parser shows: a key may stand on that line.
    const { line, column } = error as { line?: number; column?: number };
    throw new ConfigError(`${file} is no TOML (line ${line ?? '?'}, column ${column ?? '?'}); correct it.`);
  }
}

function flatten(document: object): ConfigFile {
  const settings = new Map<string, string>();
  const notices: string[] = [];
  const take = (at: string, value: unknown): void => {
    if (at === 'mcp.servers' && Array.isArray(value)) {
      for (const server of value as { name?: unknown }[]) {
        if (typeof server.name !== 'string' || !/^[a-z0-9_]+$/.test(server.name))
          throw new ConfigError('Each [[mcp.servers]] needs a name of lowercase letters, digits and underscores.');
        take(`mcp.servers.${server.name}`, server);
      }
      return;
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)) {
      for (const [key, inner] of Object.entries(value)) {
        const name = at.endsWith('.headers') ? key.toLowerCase() : key;
        take(at === '' ? name : `${at}.${name}`, inner);
      }
      return;
    }
    if (isSetting(at)) return void settings.set(at, Array.isArray(value) ? JSON.stringify(value) : String(value));
    if (at.startsWith('risk_profiles.') || at.startsWith('security.'))
      throw new ConfigError(`config.toml sets ${at}, which this runtime does not enforce; remove it or use ZeroClaw.`);
    notices.push(`config.toml sets ${at}, which this runtime does not have.`);
  };
  take('', document);
  return { settings, notices };
}
