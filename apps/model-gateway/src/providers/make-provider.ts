/** Makes a provider of an entry for the person it is asked for: its key from where that layer may take one, its way out by whose word the address is. */
import type { LoadRosterParts, RosterOwner } from '../rosters/load-roster.ts';
import type { Workspaces } from '../workspaces/workspace-view.ts';
import { readAwsCredentials } from './ai-sdk/aws-credentials.ts';
import { createOutbound, type Outbound, type ResolveName } from './ai-sdk/outbound.ts';
import { createVendorProvider } from './ai-sdk/vendors.ts';
import { isTenants, type ProviderEntry } from './provider-entry.ts';

export interface MakeProviderParts {
  readonly workspaces: Pick<Workspaces, 'readSecret'>;
  /** The operator's keys by name. */
  readonly keys: ReadonlyMap<string, string>;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly resolveName?: ResolveName | undefined;
}

export interface MakeProvider {
  readonly providerOf: LoadRosterParts['providerOf'];
  close(): Promise<void>;
}

export const createMakeProvider = (parts: MakeProviderParts): MakeProvider => {
  const { connectMs, idleMs, resolveName, workspaces, keys } = parts;
  const operators = createOutbound({ connectMs, idleMs, resolveName, publicOnly: false });
  const tenants = createOutbound({ connectMs, idleMs, resolveName, publicOnly: true });
  const outboundOf = (entry: ProviderEntry): Outbound =>
    isTenants(entry) && entry.hostListed !== true ? tenants : operators;
  return {
    providerOf: (entry: ProviderEntry, { workspaceId }: RosterOwner) =>
      createVendorProvider(entry, {
        fetch: outboundOf(entry).fetch,
        readKey: async (name) => {
          // The operator's own provider takes the operator's own key, never a workspace's that has the same name.
          if (entry.layer === 'environment') return undefined;
          const sealed = await workspaces.readSecret(workspaceId, name);
          return sealed ?? (entry.layer === 'platform' ? keys.get(name) : undefined);
        },
        ...(!isTenants(entry) && { awsCredentials: readAwsCredentials }),
      }),
    close: async () => {
      await operators.close();
      await tenants.close();
    },
  };
};

/** @throws Error naming the variable. */
export function readKeys(json: string): ReadonlyMap<string, string> {
  if (json.trim() === '') return new Map();
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    // The text is not repeated: it holds keys.
    throw new Error('BRAVO_MODEL_KEYS is no JSON; write {"NAME": "key"}.');
  }
  const entries = Object.entries((read ?? {}) as object);
  if (typeof read !== 'object' || Array.isArray(read) || entries.some(([, key]) => typeof key !== 'string'))
    throw new Error('BRAVO_MODEL_KEYS must be one JSON object from names to keys.');
  return new Map(entries as [string, string][]);
}
