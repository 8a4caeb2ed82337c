/** Each vendor of the SDK behind the model port: what differs between them is here and nowhere else. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAzure } from '@ai-sdk/azure';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { KNOWN_ENDPOINTS } from '@bravo/policy';
import { ModelProviderError, type ModelProvider } from '../model-provider.port.ts';
import { placeOf, type ProviderEntry, type ProviderKind } from '../provider-entry.ts';
import { listAnthropic, listOpenAi, listOpenAiCompatible } from './list-models.ts';
import { withBodyOptions } from './outbound.ts';
import { type Credential, createSdkProvider, type SdkProviderOptions } from './sdk-provider.ts';

export interface VendorParts {
  readonly fetch: typeof globalThis.fetch;
  /** A key by its name, as it is at this moment; undefined where nobody keeps one. */
  readonly readKey: (name: string) => Promise<string | undefined>;
  /** Credentials of the operator's own AWS account; absent where an entry may not use them. */
  readonly awsCredentials?: (profile: string | undefined) => Promise<Credential>;
}

export const createVendorProvider = (entry: ProviderEntry, parts: VendorParts): ModelProvider => {
  const { id, label, kind } = entry;
  const remedies = {
    key: keyPlaceOf(entry),
    address: placeOf(entry, 'options.baseURL'),
    model: placeOf(entry, 'models'),
  };
  const listed = entry.models;
  const options: SdkProviderOptions = {
    id,
    label,
    remedies,
    credential: () => readCredential(entry, parts),
    languageModel: (name, credential) => languageModelOf(entry, parts, name, credential),
    vendorOptions: (name) => vendorOptionsOf(entry, name),
    listModels: async (credential, signal) => {
      if (listed.length > 0) return listed;
      const lister = LISTERS[kind];
      if (!lister)
        throw new ModelProviderError(
          'refused',
          `${label} cannot be asked which models it offers; name them in ${remedies.model}.`,
        );
      return lister({ fetch: parts.fetch, baseUrl: baseUrlOf(entry), key: (await credential())['key'] ?? '', signal });
    },
  };
  return createSdkProvider(options);
};

const LISTERS: Readonly<Partial<Record<ProviderKind, typeof listOpenAi>>> = {
  'openai-compatible': listOpenAiCompatible,
  openrouter: listOpenAiCompatible,
  openai: listOpenAi,
  anthropic: listAnthropic,
};

function baseUrlOf({ baseUrl, kind, label }: ProviderEntry): string {
  const url = baseUrl ?? KNOWN_ENDPOINTS[kind];
  if (url === undefined) throw new ModelProviderError('refused', `${label} has no options.baseURL.`);
  return url.replace(/\/+$/, '');
}

function keyPlaceOf(entry: ProviderEntry): string {
  if (entry.kind === 'amazon-bedrock')
    return entry.layer === 'environment' || entry.layer === 'platform'
      ? `${placeOf(entry, 'options.profile')} and ${placeOf(entry, 'options.region')}`
      : `the workspace's sealed secrets AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and ${placeOf(entry, 'options.region')}`;
  const secrets = entry.keyNames.map((name) => `the sealed secret ${name}`).join(' or ');
  const written = placeOf(entry, 'options.apiKey');
  return secrets === '' || entry.layer === 'environment' ? written : `${secrets} (${placeOf(entry, 'env')})`;
}

async function readCredential(entry: ProviderEntry, parts: VendorParts): Promise<Credential> {
  if (entry.kind === 'amazon-bedrock') return readAwsCredential(entry, parts);
  for (const name of entry.keyNames) {
    const key = await parts.readKey(name);
    if (key !== undefined && key !== '') return { key };
  }
  if (entry.key !== undefined && entry.key !== '') return { key: entry.key };
  const needsKey = entry.kind !== 'openai-compatible' || entry.keyNames.length > 0;
  if (!needsKey) return {};
  throw new ModelProviderError('unauthorized', `There is no key for ${entry.label}. Keep one in ${keyPlaceOf(entry)}.`);
}

/** A signature needs the account's own keys; a workspace's are kept under the names AWS gives them. */
async function readAwsCredential(entry: ProviderEntry, { readKey, awsCredentials }: VendorParts): Promise<Credential> {
  const [bearer, accessKeyId, secretAccessKey, sessionToken] = await Promise.all(
    ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].map(readKey),
  );
  if (accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  if (bearer) return { key: bearer };
  if (awsCredentials) return awsCredentials(entry.profile);
  throw new ModelProviderError(
    'unauthorized',
    `There is no AWS key for ${entry.label}. Keep one in ${keyPlaceOf(entry)}.`,
  );
}

function languageModelOf(
  entry: ProviderEntry,
  parts: VendorParts,
  name: string,
  credential: Credential,
): LanguageModelV4 {
  const { key = '' } = credential;
  const fetch = withBodyOptions(parts.fetch, optionsOf(entry, name));
  switch (entry.kind) {
    case 'openai-compatible':
    case 'openrouter':
      return createOpenAICompatible({
        name: 'upstream',
        baseURL: baseUrlOf(entry),
        includeUsage: true,
        fetch,
        ...(key !== '' && { apiKey: key }),
      })(name);
    case 'openai':
      return createOpenAI({ apiKey: key, baseURL: baseUrlOf(entry), fetch })(name);
    case 'azure':
      return createAzure({ apiKey: key, baseURL: baseUrlOf(entry), fetch })(name);
    case 'anthropic':
      return createAnthropic({ apiKey: key, baseURL: baseUrlOf(entry), fetch })(name);
    case 'amazon-bedrock':
      return createAmazonBedrock({
        region: regionOf(entry),
        fetch: parts.fetch,
        ...(entry.baseUrl !== undefined && { baseURL: entry.baseUrl }),
        // Both are said, so that no variable of this process is looked for.
        ...(key === ''
          ? { apiKey: '', credentialProvider: () => Promise.resolve(awsKeys(credential)) }
          : { apiKey: key }),
      })(name);
  }
}

const awsKeys = ({ accessKeyId = '', secretAccessKey = '', sessionToken }: Credential) => ({
  accessKeyId,
  secretAccessKey,
  ...(sessionToken !== undefined && { sessionToken }),
});

function regionOf(entry: ProviderEntry): string {
  if (entry.region !== undefined && entry.region !== '') return entry.region;
  throw new ModelProviderError(
    'refused',
    `${placeOf(entry, 'options.region')} is missing: Bedrock is reached in a region.`,
  );
}

const optionsOf = (entry: ProviderEntry, name: string): Readonly<Record<string, unknown>> | undefined =>
  entry.models.find((model) => model.name === name)?.options;

/** Nothing is kept at the vendor, and a signed body is added to by the SDK before it is signed. */
function vendorOptionsOf(
  entry: ProviderEntry,
  name: string,
): ReturnType<NonNullable<SdkProviderOptions['vendorOptions']>> {
  switch (entry.kind) {
    case 'openai':
      return { openai: { store: false, reasoningSummary: 'auto' } as never };
    case 'azure':
      return { azure: { store: false, reasoningSummary: 'auto' } as never };
    case 'amazon-bedrock': {
      const more = optionsOf(entry, name);
      return more && { bedrock: { additionalModelRequestFields: more } as never };
    }
    default:
      return undefined;
  }
}
