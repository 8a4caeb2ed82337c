/** Provider blocks in force to what may be asked for models. Guarantees that a tenant's block leads to a public destination and to sealed secrets alone (D13); it must never hold a variable's value or take a field it does not name. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { MergedSettings } from './merge-settings.ts';
import { isJsonObject } from './settings-keys.ts';
import { SETTINGS_LAYERS, type SettingsLayer } from './settings-layer.ts';
import { refuseTenantProvider } from './tenant-provider.ts';

export interface OfferedModel {
  /** As the provider knows it. */
  readonly id: string;
  readonly name: string;
  /** In tokens; absent where the block does not state both. */
  readonly limit?: { readonly context: number; readonly output: number };
  /** Put into the body of a request as they stand; they replace nothing that the turn built. */
  readonly options: JsonObject;
}

export interface ResolvedProvider {
  readonly id: string;
  readonly name: string;
  /** Whose block it is. */
  readonly layer: string;
  readonly kind: 'openai-compatible' | 'amazon-bedrock';
  /** Where requests go; https of a public name unless the operator said otherwise. Empty for Bedrock. */
  readonly baseUrl: string;
  /** Names that may hold the key, tried in order. */
  readonly keyNames: readonly string[];
  /** Where such a name is looked up: never in the environment of a process for a tenant. */
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
const KNOWN_ENDPOINTS: Readonly<Record<string, string>> = { openrouter: 'https://openrouter.ai/api/v1' };
const BEDROCK = 'amazon-bedrock';

/** How another tool spells "the value of this variable" inside a value. */
const VARIABLE = /^\{env:([^{}]*)\}$/;
const SUBSTITUTION = /\{(?:env|file):/;

export function resolveProviders(
  { effective, origins }: Pick<MergedSettings, 'effective' | 'origins'>,
  rules: ProviderRules,
): { readonly providers: readonly ResolvedProvider[]; readonly refused: readonly RefusedProvider[] } {
  const providers: ResolvedProvider[] = [];
  const refused: RefusedProvider[] = [];
  const blocks = effective['provider'];
  for (const [id, block] of Object.entries(isJsonObject(blocks) ? blocks : {})) {
    const layer = origins.get(`provider.${id}`)?.at(-1) ?? '';
    const resolved = isJsonObject(block) ? resolveOne(id, block, layer, rules) : 'It is no object.';
    if (typeof resolved === 'string') refused.push({ id, layer, text: resolved });
    else providers.push(resolved);
  }
  return { providers, refused };
}

/** @returns the provider, or why it cannot be used, for whoever wrote it. */
function resolveOne(id: string, block: JsonObject, layer: string, rules: ProviderRules): ResolvedProvider | string {
  const { layers = SETTINGS_LAYERS, providerHosts = [], mayNameSecrets } = rules;
  const isOperators = layers.find(({ name }) => name === layer)?.providers === 'operator';
  // Judged again where it is used: what was stored may be older than the rule.
  const refusal = isOperators ? undefined : refuseTenantProvider(block, providerHosts);
  if (refusal !== undefined) return refusal;
  const options = isJsonObject(block['options']) ? block['options'] : {};
  const common = {
    id,
    name: textOf(block['name']) || id,
    layer,
    keysIn: isOperators ? ('operator' as const) : ('sealed_secrets' as const),
    models: modelsOf(block['models']),
  };
  if (id === BEDROCK) {
    if (!isOperators)
      return "It is reached by signing with the operator's AWS account, so only the operator may configure it.";
    const region = textOf(options['region']);
    if (region === '') return 'options.region is missing, and a guessed one would fail far from the mistake.';
    const profile = textOf(options['profile']);
    return { ...common, kind: 'amazon-bedrock', baseUrl: '', keyNames: [], region, profile };
  }
  const baseUrl = textOf(options['baseURL']) || (Object.hasOwn(KNOWN_ENDPOINTS, id) ? KNOWN_ENDPOINTS[id]! : '');
  if (baseUrl === '') return 'options.baseURL is missing: no endpoint is known for this id.';
  const written = textOf(options['apiKey']);
  const named = VARIABLE.exec(written)?.[1];
  const keyNames = [...namesOf(block['env']), ...(named === undefined ? [] : [named])];
  if (named === undefined && SUBSTITUTION.test(written))
    return 'options.apiKey names a file or part of a variable, which is never read here. Name a sealed secret in env.';
  if (keyNames.length > 0 && !isOperators && !mayNameSecrets(layer))
    return "It names the workspace's secrets, and only an admin chooses where these are sent. Ask an admin to put the block into the workspace's settings.";
  const inline = named === undefined && written !== '' ? { inlineKey: written } : {};
  return { ...common, kind: 'openai-compatible', baseUrl, keyNames, ...inline, region: '', profile: '' };
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
