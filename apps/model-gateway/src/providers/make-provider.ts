/** Makes a provider of an entry for the person it is asked for: its key from where that layer may take one, its way out by whose word the address is. */
import type { LoadRosterParts, RosterOwner } from '../rosters/load-roster.ts';
import type { Workspaces } from '../workspaces/workspace-view.ts';
import { readAwsCredentials } from './ai-sdk/aws-credentials.ts';
import { createOutbound, type Outbound } from './ai-sdk/outbound.ts';
import { createVendorProvider } from './ai-sdk/vendors.ts';
import type { OpenSocketFor } from './open-socket.ts';
import { isTenants, type ProviderEntry } from './provider-entry.ts';

export interface MakeProviderParts {
  readonly workspaces: Pick<Workspaces, 'readSecret'>;
  /** The operator's keys by name. */
  readonly keys: ReadonlyMap<string, string>;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly openSocketFor: OpenSocketFor;
}

/** Providers of workspaces with tunnels of their own; of as many at once the one used longest ago gives its tunnels up. */
const MOST_KEPT = 500;

export interface MakeProvider {
  readonly providerOf: LoadRosterParts['providerOf'];
  close(): Promise<void>;
}

export const createMakeProvider = (parts: MakeProviderParts): MakeProvider => {
  const { connectMs, idleMs, workspaces, keys } = parts;
  const kept = new Map<string, Outbound>();
  /** One for each provider of a workspace, so that its tunnels stay open between calls and carry nobody else's. */
  const outboundOf = (entry: ProviderEntry, workspaceId: string): Outbound => {
    const publicOnly = isTenants(entry) && entry.hostListed !== true;
    const key = JSON.stringify([workspaceId, entry.layer, entry.id, publicOnly]);
    const openSocket = parts.openSocketFor(workspaceId, entry.id);
    const outbound = kept.get(key) ?? createOutbound({ connectMs, idleMs, publicOnly, openSocket });
    kept.delete(key);
    kept.set(key, outbound);
    const oldest = kept.keys().next().value;
    if (kept.size > MOST_KEPT && oldest !== undefined) {
      // Answers that still run end in their own time.
      void kept.get(oldest)?.close();
      kept.delete(oldest);
    }
    return outbound;
  };
  return {
    providerOf: (entry: ProviderEntry, { workspaceId }: RosterOwner) =>
      createVendorProvider(entry, {
        fetch: outboundOf(entry, workspaceId).fetch,
        readKey: async (name) => {
          // The operator's own provider takes the operator's own key, never a workspace's that has the same name.
          if (entry.layer === 'environment') return undefined;
          const sealed = await workspaces.readSecret(workspaceId, name);
          return sealed ?? (entry.layer === 'platform' ? keys.get(name) : undefined);
        },
        ...(!isTenants(entry) && { awsCredentials: readAwsCredentials }),
      }),
    close: async () => {
      await Promise.all([...kept.values()].map((outbound) => outbound.close()));
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
