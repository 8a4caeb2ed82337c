/**
 * Reads ZeroClaw's environment overrides: `ZEROCLAW_` + a lowercase path with `__` for dots.
 *
 * An unknown lowercase name stops the start, exactly as ZeroClaw does; all-uppercase names are older settings of
 * ZeroClaw and are ignored there and here. It never guesses what a misspelt name meant.
 */
import { ConfigError } from './config-error.ts';
import { isSetting } from './settings.ts';

const PREFIX = 'ZEROCLAW_';
/** Where the installation lies; ZeroClaw's own two variables that are no overrides. */
const PLACES = ['ZEROCLAW_CONFIG_DIR', 'ZEROCLAW_DATA_DIR'];

/** Path with dots → value, for every override in `env`. Throws `ConfigError` on a name it does not know. */
export function parseOverrides(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const overrides = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === undefined || PLACES.includes(name)) continue;
    const tail = name.slice(PREFIX.length);
    if (!/[a-z]/.test(tail)) continue;
    const path = tail.replaceAll('__', '.');
    if (!isSetting(path)) {
      throw new ConfigError(`${name} is no setting of this runtime; correct the name or remove it.`);
    }
    overrides.set(path, value);
  }
  return overrides;
}
