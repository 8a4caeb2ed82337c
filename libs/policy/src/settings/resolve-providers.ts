/** Provider blocks in force to what may be asked for models. Guarantees that a tenant's block leads to a public destination and to sealed secrets alone (D13); it must never hold a variable's value or take a field it does not name. */
import type { JsonObject, JsonValue } from '../json.ts';
import { readBedrockTiers, type BedrockTiers } from './bedrock-tiers.ts';
import type { MergedSettings } from './merge-settings.ts';
import { isJsonObject } from './settings-keys.ts';
import { SETTINGS_LAYERS, type SettingsLayer } from './settings-layer.ts';
import { hostOfBaseUrl, refuseTenantProvider } from './tenant-provider.ts';

export interface OfferedModel {
  /** As the provider knows it. */
  readonly id: string;
  readonly name: string;
  /** In tokens; absent where the block does not state both. */
  readonly limit?: { readonly context: number; readonly output: number };
  /** Put into the body of a request as they stand; they replace nothing that the turn built. */
  readonly options: JsonObject;
}

/** Ids that stand for an API of their own; every other id is OpenAI-compatible. */
export const PROVIDER_KINDS = [
  'openai-compatible',
  'openrouter',
  'openai',
  'azure',
  'anthropic',
  'amazon-bedrock',
] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export interface ResolvedProvider {
  readonly id: string;
  readonly name: string;
  /** Whose block it is. */
  readonly layer: string;
  readonly kind: ProviderKind;
  /** Where requests go; https of a public name unless the operator said otherwise. Empty for Bedrock at its own address. */
  readonly baseUrl: string;
  /** The operator listed its host, so it need not be public. */
  readonly hostListed: boolean;
  /** Names that may hold the key, tried in order. */
  readonly keyNames: readonly string[];
  /** Where such a name is looked up besides the workspace's sealed secrets: never in anything of a process for a tenant. */
  readonly keysIn: 'operator' | 'sealed_secrets';
  /** A key written into the block; a name that is found goes before it. Absent where none is. */
  readonly inlineKey?: string;
  /** Of Bedrock, from the operator alone; `profile` empty: the account's own. */
  readonly region: string;
  readonly profile: string;
  /** Empty: the provider is asked what it offers. */
  readonly models: readonly OfferedModel[];
}

export interface RefusedProvider {
  readonly id: string;
  /** Dotted key of what keeps it from being used. */
  readonly key: string;
  readonly layer: string;
  readonly text: string;
}

export interface ProviderRules {
  /** Whether a block of this layer may name the workspace's secrets: whoever may not see a secret must not choose where it is sent. */
  readonly mayNameSecrets: (layer: string) => boolean;
  readonly layers?: readonly SettingsLayer[];
  /** Hosts besides the public ones that the operator lets a tenant name. */
  readonly providerHosts?: readonly string[];
}

/** Endpoints that need no baseURL. Compiled in: where a key is sent is nobody's answer to a request. */
export const KNOWN_ENDPOINTS: Readonly<Partial<Record<ProviderKind, string>>> = {
  openrouter: 'https://openrouter.ai/api/v1',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};
const BEDROCK = 'amazon-bedrock';
/** Under which names a workspace keeps the keys of its own AWS account. */
const AWS_NAMES = ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
const NOT_YOURS =
  "It names the workspace's secrets, and only an admin chooses where these are sent. Ask an admin to put the block into the workspace's settings.";

export interface ProviderResolution {
  readonly providers: readonly ResolvedProvider[];
  readonly refused: readonly RefusedProvider[];
  /** Word of a tier to the model the account named for it. */
  readonly tiers: Readonly<Record<string, string>>;
}

/** How another tool spells "the value of this variable" inside a value. */
const VARIABLE = /^\{env:([^{}]*)\}$/;
const SUBSTITUTION = /\{(?:env|file):/;

export function resolveProviders(
  { effective, origins }: Pick<MergedSettings, 'effective' | 'origins'>,
  rules: ProviderRules,
): ProviderResolution {
  const providers: ResolvedProvider[] = [];
  const refused: RefusedProvider[] = [];
  const blocks = isJsonObject(effective['provider']) ? effective['provider'] : {};
  const tiers = readBedrockTiers(effective, origins);
  for (const [id, block] of Object.entries(blocks)) {
    const layer = origins.get(`provider.${id}`)?.at(-1) ?? '';
    const resolved = isJsonObject(block) ? resolveOne(id, block, layer, rules) : 'It is no object.';
    if (typeof resolved === 'string') refused.push({ id, key: `provider.${id}`, layer, text: resolved });
    else providers.push(resolved);
  }
  if (tiers === undefined) return { providers, refused, tiers: {} };
  const added = addTiers(tiers, providers, rules);
  if (typeof added !== 'string') return { providers: added, refused, tiers: tiers.words };
  const key = tiers.region === '' ? 'env.AWS_REGION' : `provider.${BEDROCK}`;
  return { providers, refused: [...refused, { id: BEDROCK, key, layer: tiers.layer, text: added }], tiers: {} };
}

/** An account that a block describes is that block's; the tiers only add models to it. */
function addTiers(
  { layer, region, profile, models }: BedrockTiers,
  providers: readonly ResolvedProvider[],
  rules: ProviderRules,
): readonly ResolvedProvider[] | string {
  const stated = providers.find(({ id }) => id === BEDROCK);
  // A profile names credentials of the machine, which a tenant's word does not reach.
  const named = profile !== '' && isOperatorLayer(layer, rules) ? { profile } : {};
  const account = stated ?? resolveOne(BEDROCK, { options: { region, ...named } }, layer, rules);
  if (typeof account === 'string') return account;
  const more = models.filter(({ id }) => !account.models.some((model) => model.id === id));
  const whole = { ...account, models: [...account.models, ...more] };
  return [...providers.filter(({ id }) => id !== BEDROCK), whole];
}

/** @returns the provider, or why it cannot be used, for whoever wrote it. */
function resolveOne(id: string, block: JsonObject, layer: string, rules: ProviderRules): ResolvedProvider | string {
  const { providerHosts = [], mayNameSecrets } = rules;
  const isOperators = isOperatorLayer(layer, rules);
  // Judged again where it is used: what was stored may be older than the rule.
  const refusal = isOperators ? undefined : refuseTenantProvider(block, providerHosts);
  if (refusal !== undefined) return refusal;
  const options = isJsonObject(block['options']) ? block['options'] : {};
  const kind = PROVIDER_KINDS.find((one) => one === id) ?? 'openai-compatible';
  const common = {
    id,
    kind,
    name: textOf(block['name']) || id,
    layer,
    keysIn: isOperators ? ('operator' as const) : ('sealed_secrets' as const),
    models: modelsOf(block['models']),
  };
  if (id === BEDROCK) {
    const region = textOf(options['region']);
    if (region === '') return 'options.region is missing, and a guessed one would fail far from the mistake.';
    // It becomes part of the host that a signed request is sent to.
    if (!/^[a-z0-9-]{1,32}$/.test(region)) return 'options.region is no name of an AWS region, such as eu-central-1.';
    const profile = textOf(options['profile']);
    const baseUrl = textOf(options['baseURL']);
    // A tenant signs with an account of their own, never with that of the machine.
    if (!isOperators && !mayNameSecrets(layer)) return NOT_YOURS;
    return { ...common, baseUrl, hostListed: false, keyNames: isOperators ? [] : AWS_NAMES, region, profile };
  }
  const baseUrl = textOf(options['baseURL']) || (KNOWN_ENDPOINTS[kind] ?? azureAddress(kind, options));
  if (baseUrl === '')
    return kind === 'azure'
      ? 'Azure needs options.resourceName or options.baseURL. Write one.'
      : 'It has no options.baseURL, and no endpoint is known for this id. Write where it is.';
  const written = textOf(options['apiKey']);
  const named = VARIABLE.exec(written)?.[1];
  const keyNames = [...namesOf(block['env']), ...(named === undefined ? [] : [named])];
  if (named === undefined && SUBSTITUTION.test(written))
    return 'options.apiKey names a file or part of a variable, which is never read here. Name a sealed secret in env.';
  if (keyNames.length > 0 && !isOperators && !mayNameSecrets(layer)) return NOT_YOURS;
  const inline = named === undefined && written !== '' ? { inlineKey: written } : {};
  const hostListed = !isOperators && providerHosts.includes(hostOfBaseUrl(baseUrl) ?? '');
  return { ...common, baseUrl, hostListed, keyNames, ...inline, region: '', profile: '' };
}

function isOperatorLayer(layer: string, { layers = SETTINGS_LAYERS }: ProviderRules): boolean {
  return layers.find(({ name }) => name === layer)?.providers === 'operator';
}

/** Letters, digits and dashes only: the address is where a key is sent. */
function azureAddress(kind: ProviderKind, options: JsonObject): string {
  const resource = textOf(options['resourceName']).toLowerCase();
  const isName = kind === 'azure' && /^[a-z0-9-]{1,64}$/.test(resource);
  return isName ? `https://${resource}.openai.azure.com/openai` : '';
}

function modelsOf(written: JsonValue | undefined): readonly OfferedModel[] {
  if (!isJsonObject(written)) return [];
  return Object.entries(written).map(([id, value]) => {
    const model = isJsonObject(value) ? value : {};
    const limit = isJsonObject(model['limit']) ? model['limit'] : {};
    const [context, output] = [amountOf(limit['context']), amountOf(limit['output'])];
    return {
      id,
      name: textOf(model['name']) || id,
      ...(context === undefined || output === undefined ? {} : { limit: { context, output } }),
      options: isJsonObject(model['options']) ? model['options'] : {},
    };
  });
}

function namesOf(written: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(written)) return [];
  return written.filter((name): name is string => typeof name === 'string' && name.trim() !== '');
}

function textOf(written: JsonValue | undefined): string {
  return typeof written === 'string' ? written.trim() : '';
}

function amountOf(written: JsonValue | undefined): number | undefined {
  return typeof written === 'number' && Number.isSafeInteger(written) && written > 0 ? written : undefined;
}
