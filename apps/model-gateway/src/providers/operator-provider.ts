/** The one provider the operator's variables name; an incomplete description stops the start and never falls back to another. */
import { type ListedModel, type ProviderEntry, PROVIDER_KINDS, type ProviderKind } from './provider-entry.ts';

export interface OperatorSettings {
  /** "demo" and "local" are built in; else a kind of provider. */
  readonly provider: 'demo' | 'local' | ProviderKind;
  readonly modelName: string;
  readonly modelBaseUrl: string;
  readonly modelApiKey: string;
  readonly modelRegion: string;
}

const NEEDS_ADDRESS: readonly string[] = ['openai-compatible', 'azure'];

/** @returns undefined for what is built in. @throws Error with one sentence that names the variable. */
export function readOperatorProvider(settings: OperatorSettings): ProviderEntry | undefined {
  const { provider, modelName, modelBaseUrl, modelApiKey, modelRegion } = settings;
  if (provider === 'demo' || provider === 'local') return undefined;
  if (!PROVIDER_KINDS.includes(provider))
    throw new Error(`"${String(provider)}" is no model provider; BRAVO_MODEL_PROVIDER names one.`);
  if (modelName === '')
    throw new Error(`BRAVO_MODEL_NAME is not set; BRAVO_MODEL_PROVIDER=${provider} needs the name of the model.`);
  if (modelBaseUrl === '' ? NEEDS_ADDRESS.includes(provider) : !isHttp(modelBaseUrl))
    throw new Error('BRAVO_MODEL_BASE_URL must be an http or https address, for example http://127.0.0.1:11434/v1.');
  if (provider === 'amazon-bedrock' && modelRegion === '')
    throw new Error('BRAVO_MODEL_REGION is not set; Bedrock is reached in a region, for example eu-central-1.');
  const model: ListedModel = {
    ...{ name: modelName, label: modelName, contextTokens: null, outputTokens: null, effort: 'unknown', demo: false },
  };
  return {
    id: provider,
    label: LABELS[provider],
    kind: provider,
    layer: 'environment',
    baseUrl: modelBaseUrl === '' ? undefined : modelBaseUrl,
    keyNames: [],
    key: modelApiKey,
    region: modelRegion,
    profile: undefined,
    models: [model],
  };
}

export const LABELS: Readonly<Record<ProviderKind, string>> = {
  'openai-compatible': 'OpenAI-compatible server',
  openrouter: 'OpenRouter',
  openai: 'OpenAI',
  azure: 'Azure OpenAI',
  anthropic: 'Anthropic',
  'amazon-bedrock': 'Amazon Bedrock',
};

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:/.test(url);
