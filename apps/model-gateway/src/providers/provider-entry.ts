/** One configured provider: where it is, which key it takes and which models it offers. It holds names of keys and where they are kept, and a key only where somebody wrote one into the settings. */
import type { ProviderKind } from '@bravo/policy';
import type { ProviderModel } from './model-provider.port.ts';

export { PROVIDER_KINDS, type ProviderKind } from '@bravo/policy';

/** Whose word it is: the operator's variables, or a layer of the settings. */
export type EntryLayer = 'environment' | 'platform' | 'workspace' | 'user' | 'conversation';

export interface ListedModel extends ProviderModel {
  /** Put into the request body as it stands. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ProviderEntry {
  readonly id: string;
  /** The heading its models stand under. */
  readonly label: string;
  readonly kind: ProviderKind;
  readonly layer: EntryLayer;
  readonly baseUrl: string | undefined;
  /** The operator listed the host of a tenant's address. */
  readonly hostListed?: boolean;
  /** Names that may hold the key, tried in order before `key`. */
  readonly keyNames: readonly string[];
  readonly key: string | undefined;
  /** Of Bedrock: where it is reached. */
  readonly region: string | undefined;
  /** Of Bedrock, the operator's alone: the AWS profile that signs. */
  readonly profile: string | undefined;
  /** Taken at its word, in this order; empty: the endpoint is asked. */
  readonly models: readonly ListedModel[];
}

/** For sentences: "provider.openrouter in the workspace settings", or the variable. */
export const placeOf = ({ id, layer }: Pick<ProviderEntry, 'id' | 'layer'>, key: string): string =>
  layer === 'environment'
    ? (VARIABLES[key] ?? 'BRAVO_MODEL_PROVIDER')
    : `provider.${id}.${key} of the ${layer} settings`;

const VARIABLES: Readonly<Record<string, string>> = {
  'options.baseURL': 'BRAVO_MODEL_BASE_URL',
  'options.apiKey': 'BRAVO_MODEL_API_KEY',
  'options.region': 'BRAVO_MODEL_REGION',
  models: 'BRAVO_MODEL_NAME',
};

/** Whether a destination is a tenant's own word, which is held to public addresses (D13). */
export const isTenants = ({ layer }: Pick<ProviderEntry, 'layer'>): boolean =>
  layer !== 'environment' && layer !== 'platform';
