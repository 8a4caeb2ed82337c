/**
 * The provider blocks of the settings in force, as entries that can be asked. Guarantees that a block which configures
 * nothing says why, and that a person's own block sends no key of the workspace to an address of their choosing.
 */
import {
  isTenants,
  type EntryLayer,
  type ListedModel,
  type ProviderEntry,
  type ProviderKind,
} from '../providers/provider-entry.ts';
import { LABELS } from '../providers/operator-provider.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonMap = Readonly<Record<string, Json>>;

export interface SettingsInForce {
  readonly effective: JsonMap;
  /** Dotted key to the layers that set it, the winner last. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
}

export interface ProviderNote {
  /** Dotted key. */
  readonly key: string;
  readonly text: string;
}

export interface ProviderReading {
  readonly entries: readonly ProviderEntry[];
  /** Blocks that configure no service. */
  readonly notes: readonly ProviderNote[];
  /** Tier word to the model the account named for it. */
  readonly tiers: Readonly<Record<string, string>>;
}

const BEDROCK = 'amazon-bedrock';
const BY_NAME: readonly string[] = ['openrouter', 'openai', 'azure', 'anthropic', BEDROCK];
/** A figure that is too high would keep a conversation from ever being shortened, so an unstated one is low. */
export const ASSUMED_CONTEXT = 131_072;

export function readProviders(settings: SettingsInForce): ProviderReading {
  const notes: ProviderNote[] = [];
  const blocks = mapOf(settings.effective['provider']);
  const entries = Object.entries(blocks).flatMap(([id, block]) => {
    const reading = readBlock(id, mapOf(block), layerOf(settings, `provider.${id}`));
    if (typeof reading !== 'string') return [reading];
    notes.push({ key: `provider.${id}`, text: reading });
    return [];
  });
  const tiers = readTiers(settings, notes);
  if (!tiers) return { entries, notes, tiers: {} };
  const stated = entries.find(({ id }) => id === BEDROCK);
  const named = Object.values(tiers.words);
  const more = named.filter((name) => !stated?.models.some((model) => model.name === name));
  const labelled = more.map((name) => toModel(name, { name: labelOfTier(tiers.words, name) }));
  // An account that a block describes is that block's; the tiers only add models to it.
  const bedrock = stated
    ? { ...stated, models: [...stated.models, ...labelled] }
    : { ...tiers.entry, models: labelled };
  return { entries: [...entries.filter(({ id }) => id !== BEDROCK), bedrock], notes, tiers: tiers.words };
}

function readBlock(id: string, block: JsonMap, layer: EntryLayer): ProviderEntry | string {
  const options = mapOf(block['options']);
  const kind = (BY_NAME.includes(id) ? id : 'openai-compatible') as ProviderKind;
  const resource = textOf(options['resourceName']);
  const baseUrl = textOf(options['baseURL']) ?? (kind === 'azure' ? azureAddress(resource) : undefined);
  const region = textOf(options['region']);
  if (kind === 'openai-compatible' && baseUrl === undefined)
    return `"${id}" is no known name and has no options.baseURL, so it is no service. Write where it is.`;
  if (kind === 'azure' && baseUrl === undefined)
    return 'Azure needs options.resourceName or options.baseURL. Write one.';
  if (kind === BEDROCK && region === undefined)
    return 'Bedrock needs options.region: a guessed one fails far from the mistake. Write it.';
  const models = Object.entries(mapOf(block['models'])).map(([name, model]) => toModel(name, mapOf(model)));
  // A person may send the workspace's keys to endpoints that are known by name; to an address of their own, their own key.
  const lendsKeys = !(layer === 'user' && baseUrl !== undefined);
  const keyNames = listOf(block['env']).flatMap((name) => (typeof name === 'string' && name !== '' ? [name] : []));
  return {
    id,
    label: textOf(block['name']) ?? (BY_NAME.includes(id) ? labelOf(kind, layer, textOf(options['profile'])) : id),
    kind,
    layer,
    baseUrl,
    keyNames: kind !== BEDROCK && lendsKeys ? keyNames : [],
    key: kind === BEDROCK ? undefined : textOf(options['apiKey']),
    region,
    profile: layer === 'platform' ? textOf(options['profile']) : undefined,
    models,
  };
}

/** A name between dots and letters only: the address is where a key is sent. */
const azureAddress = (resource: string | undefined): string | undefined =>
  resource !== undefined && /^[a-z0-9-]{1,64}$/i.test(resource)
    ? `https://${resource.toLowerCase()}.openai.azure.com/openai`
    : undefined;

function labelOf(kind: ProviderKind, layer: EntryLayer, profile: string | undefined): string {
  if (kind !== BEDROCK) return LABELS[kind];
  if (isTenants({ layer })) return "Bedrock, the workspace's AWS account";
  return profile === undefined ? 'Bedrock, your AWS account' : `Bedrock, your ${profile} AWS profile`;
}

function toModel(name: string, model: JsonMap): ListedModel {
  const limit = mapOf(model['limit']);
  const [context, output] = [amountOf(limit['context']), amountOf(limit['output'])];
  // Following opencode, half a limit is none.
  const whole = context !== undefined && output !== undefined;
  return {
    name,
    label: textOf(model['name']) ?? name,
    contextTokens: whole ? context : null,
    outputTokens: whole ? output : null,
    effort: 'unknown',
    demo: false,
    ...(model['options'] !== undefined && { options: mapOf(model['options']) }),
  };
}

const TIER_VARIABLES: Readonly<Record<string, string>> = {
  opus: 'ANTHROPIC_DEFAULT_OPUS_MODEL',
  sonnet: 'ANTHROPIC_DEFAULT_SONNET_MODEL',
  haiku: 'ANTHROPIC_DEFAULT_HAIKU_MODEL',
};

function readTiers(settings: SettingsInForce, notes: ProviderNote[]) {
  const env = mapOf(settings.effective['env']);
  if (env['BRAVEBOT_USE_BEDROCK'] !== '1') return undefined;
  const region = textOf(env['AWS_REGION']);
  if (region === undefined) {
    notes.push({ key: 'env.AWS_REGION', text: 'Bedrock is switched on and AWS_REGION is not set. Write the region.' });
    return undefined;
  }
  const words = Object.fromEntries(
    Object.entries(TIER_VARIABLES).flatMap(([tier, variable]) => {
      const name = textOf(env[variable]);
      return name === undefined ? [] : [[tier, name] as const];
    }),
  );
  const layer = layerOf(settings, 'env.BRAVEBOT_USE_BEDROCK');
  const profile = textOf(env['AWS_PROFILE']);
  const operators = layer === 'platform' && layerOf(settings, 'env.AWS_PROFILE') === 'platform';
  if (profile !== undefined && !operators)
    notes.push({
      key: 'env.AWS_PROFILE',
      text: 'A profile names credentials of the machine, which only the operator may.',
    });
  const entry: ProviderEntry = {
    ...{ id: BEDROCK, label: labelOf(BEDROCK, layer, operators ? profile : undefined), kind: BEDROCK, layer },
    ...{ baseUrl: undefined, keyNames: [], key: undefined, region, models: [] },
    profile: operators ? profile : undefined,
  };
  return { entry, words };
}

const labelOfTier = (words: Readonly<Record<string, string>>, name: string): string => {
  const tier = Object.keys(words).find((word) => words[word] === name) ?? '';
  return `${tier.charAt(0).toUpperCase()}${tier.slice(1)} (${name})`;
};

function layerOf({ origins }: SettingsInForce, key: string): EntryLayer {
  const origin = origins.get(key)?.at(-1);
  // What nobody vouches for is a tenant's word.
  return origin === 'platform' || origin === 'workspace' ? origin : 'user';
}

const mapOf = (value: Json | undefined): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : {};
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
const amountOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
