/** Reads one value of a setting, or stops the start with a sentence that names the setting; never with its value where that may be a secret. */
import { ConfigError } from './config-error.ts';

export function integer(name: string, value: string, min: number, max: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(value)}.`);
}

export function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}; it is ${JSON.stringify(value)}.`);
}

/** A JSON array of strings or a comma-separated list. */
export function list(name: string, value: string): string[] {
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
  throw new ConfigError(`${environmentName(name)} must be a JSON array of strings or a comma-separated list.`);
}

export function requireUrl(path: string, value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(
      `${environmentName(path)} must be an http or https address; it is ${value === '' ? 'not set' : JSON.stringify(value)}.`,
    );
  }
  return value;
}

export const environmentName = (path: string): string => `ZEROCLAW_${path.replaceAll('.', '__')}`;
