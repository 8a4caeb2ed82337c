/** The words opus, sonnet and haiku where variables of the settings name a model of a Bedrock account for them. It must never read a variable of a process. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { OfferedModel } from './resolve-providers.ts';
import { isJsonObject } from './settings-keys.ts';

export interface BedrockTiers {
  /** Whose word it is that Bedrock is used. */
  readonly layer: string;
  /** Empty where none is set. */
  readonly region: string;
  readonly profile: string;
  readonly words: Readonly<Record<string, string>>;
  /** The models the words name, each once. */
  readonly models: readonly OfferedModel[];
}

const SWITCH = 'BRAVEBOT_USE_BEDROCK';
const TIERS: readonly (readonly [word: string, variable: string])[] = [
  ['opus', 'ANTHROPIC_DEFAULT_OPUS_MODEL'],
  ['sonnet', 'ANTHROPIC_DEFAULT_SONNET_MODEL'],
  ['haiku', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'],
];

/** @returns undefined where Bedrock is not switched on. */
export function readBedrockTiers(
  effective: JsonObject,
  origins: ReadonlyMap<string, readonly string[]>,
): BedrockTiers | undefined {
  const env = effective['env'];
  if (!isJsonObject(env) || env[SWITCH] !== '1') return undefined;
  const named = TIERS.flatMap(([word, variable]) => {
    const id = textOf(env[variable]);
    return id === '' ? [] : [[word, id] as const];
  });
  const models = named.map(([word, id]): OfferedModel => {
    return { id, name: `${word.charAt(0).toUpperCase()}${word.slice(1)} (${id})`, options: {} };
  });
  return {
    layer: origins.get(`env.${SWITCH}`)?.at(-1) ?? '',
    region: textOf(env['AWS_REGION']),
    profile: textOf(env['AWS_PROFILE']),
    words: Object.fromEntries(named),
    models: models.filter(({ id }, at) => models.findIndex((one) => one.id === id) === at),
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
