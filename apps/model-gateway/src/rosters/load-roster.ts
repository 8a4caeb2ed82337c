/**
 * Loads what a person may choose from: the operator's provider and those of the settings. A list that an endpoint gave is
 * kept for minutes and, where it cannot be had again, for longer; no service that fails takes another's models away.
 */
import { ModelProviderError, type ModelProvider } from '../providers/model-provider.port.ts';
import type { ListedModel, ProviderEntry } from '../providers/provider-entry.ts';
import type { ProviderReading } from './provider-reading.ts';
import { createRoster, type Roster, type RosterService } from './roster.ts';

export interface RosterOwner {
  readonly workspaceId: string;
  readonly userId: string;
  /** Empty: none is meant. */
  readonly conversationId: string;
}

export interface LoadRosterParts {
  /** What is built in or named by the operator's variables; its first model is what automatic leads to. */
  readonly own: OwnService;
  readonly providerOf: (entry: ProviderEntry, owner: RosterOwner) => ModelProvider;
  /** Milliseconds of a clock that does not go back. */
  readonly now: () => number;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export interface OwnService {
  readonly provider: ModelProvider;
  readonly models: readonly ListedModel[];
  /** Its model is chosen by its bare name. */
  readonly bare: boolean;
}

export type LoadRoster = (owner: RosterOwner, reading: ProviderReading) => Promise<Roster>;

const FRESH_MS = 5 * 60_000;
/** A list that failed is asked for again no sooner than this. */
const RETRY_MS = 15_000;
const LISTING_MS = 5_000;
const MOST_LISTS = 2_000;

interface Listing {
  models: readonly ListedModel[];
  problem: string;
  /** Whether `models` was ever given by the endpoint. */
  known: boolean;
  until: number;
  asking: Promise<void> | undefined;
}

export const createLoadRoster = ({ own, providerOf, now, log }: LoadRosterParts): LoadRoster => {
  const listings = new Map<string, Listing>();

  const refresh = async (listing: Listing, provider: ModelProvider): Promise<void> => {
    try {
      const models = await provider.listModels(AbortSignal.timeout(LISTING_MS));
      Object.assign(listing, { models: inOrder(models), problem: '', known: true, until: now() + FRESH_MS });
    } catch (error) {
      const own = error instanceof ModelProviderError;
      const problem = own ? error.message : 'The list of models could not be had in time.';
      Object.assign(listing, { problem, until: now() + RETRY_MS });
      log('a list of models could not be had', { provider: provider.id, problem, ...(own ? {} : { err: error }) });
    } finally {
      listing.asking = undefined;
    }
  };

  const listingOf = async (key: string, provider: ModelProvider): Promise<Listing> => {
    const listing = listings.get(key) ?? { models: [], problem: '', known: false, until: 0, asking: undefined };
    listings.delete(key);
    listings.set(key, listing);
    if (listings.size > MOST_LISTS) listings.delete(listings.keys().next().value ?? '');
    if (listing.until <= now()) listing.asking ??= refresh(listing, provider);
    // Waited for once: what is known, or known to fail, is brought up to date behind the answer, and holds up no call.
    if (listing.asking && !listing.known && listing.problem === '') await listing.asking;
    return listing;
  };

  const serviceOf = async (entry: ProviderEntry, owner: RosterOwner): Promise<RosterService> => {
    const provider = providerOf(entry, owner);
    const endpoint = endpointOf(entry, owner);
    const { id, label, layer } = entry;
    const common = { id, label, layer, provider, endpoint, bare: entry.kind === 'amazon-bedrock' };
    if (entry.models.length > 0) return { ...common, models: entry.models, stale: false, problem: '' };
    const { models, problem, known } = await listingOf(endpoint, provider);
    return { ...common, models, stale: known && problem !== '', problem };
  };

  return async (owner, { entries, tiers }) => {
    const { provider, models, bare } = own;
    const first = {
      id: provider.id,
      label: provider.label,
      layer: 'environment' as const,
      provider,
      models,
      bare,
      stale: false,
      problem: '',
    };
    // One name is one service: a block that carries the operator's own id is told apart by its layer.
    const named = entries.map((entry) =>
      entry.id === provider.id ? { ...entry, id: `${entry.layer}-${entry.id}` } : entry,
    );
    const others = await Promise.all(named.map((entry) => serviceOf(entry, owner)));
    return createRoster([{ ...first, endpoint: 'own' }, ...others], tiers);
  };
};

const inOrder = (models: readonly ListedModel[]): ListedModel[] =>
  [...models].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** A tenant's endpoint is the tenant's: neither its list nor its failures are another's. */
const endpointOf = (entry: ProviderEntry, { workspaceId, userId, conversationId }: RosterOwner): string =>
  JSON.stringify([
    entry.layer,
    // The key decides what is listed, and a platform's entry may take the workspace's.
    entry.layer === 'environment' ? '' : workspaceId,
    entry.layer === 'user' || entry.layer === 'conversation' ? userId : '',
    entry.layer === 'conversation' ? conversationId : '',
    entry.id,
    entry.baseUrl ?? '',
    entry.region ?? '',
  ]);
