/**
 * The models a person may choose, grouped by the service that answers, and the one rule by which a name finds its service.
 * The automatic entry is always there; what is chosen by a name that nothing lists is unknown and never sent.
 */
import { AUTOMATIC_MODEL } from '@bravo/policy';
import type { Target } from '../attempts/answer-patiently.ts';
import type { ModelProvider } from '../providers/model-provider.port.ts';
import type { EntryLayer, ListedModel } from '../providers/provider-entry.ts';

export const AUTOMATIC = 'automatic';

/** One service with what it offers now. */
export interface RosterService {
  readonly id: string;
  readonly label: string;
  /** Whose word it is. */
  readonly layer: EntryLayer;
  readonly provider: ModelProvider;
  readonly models: readonly ListedModel[];
  /** Its list could not be had: the models are those of an earlier answer, or none. */
  readonly stale: boolean;
  /** Why, for people; empty where nothing is wrong. */
  readonly problem: string;
  /** Whose failures count together. */
  readonly endpoint: string;
  /** Its models are chosen by their names exactly as written, without the id in front. */
  readonly bare: boolean;
}

export interface RosterModel {
  readonly id: string;
  readonly label: string;
  /** Id and heading of the service. */
  readonly service: string;
  readonly serviceLabel: string;
  readonly layer: EntryLayer;
  readonly contextTokens: number | null;
  readonly outputTokens: number | null;
  readonly effort: 'read' | 'unread' | 'unknown';
  readonly demo: boolean;
}

export interface Roster {
  readonly services: readonly RosterService[];
  readonly models: readonly RosterModel[];
  /** Where the automatic entry leads; undefined where nothing is left to ask. */
  readonly automatic: Target | undefined;
  /** @returns undefined for a name nothing lists. */
  find(name: string): Target | undefined;
  describe(target: Target): RosterModel | undefined;
}

export const isAutomatic = (name: string): boolean => name === AUTOMATIC || name === AUTOMATIC_MODEL;

/** `services`: in the order of their headings; the first model of the first is what automatic leads to. */
export function createRoster(services: readonly RosterService[], tiers: Readonly<Record<string, string>> = {}): Roster {
  const targetOf = (service: RosterService, model: Pick<ListedModel, 'name' | 'label' | 'effort'>): Target => ({
    id: idOf(service, model.name),
    label: model.label,
    provider: service.provider,
    name: model.name,
    effort: model.effort,
    endpoint: service.endpoint,
  });
  const first = services.find(({ models }) => models.length > 0);
  const automatic = first?.models[0] && targetOf(first, first.models[0]);
  const models = services.flatMap((service) =>
    service.models.map((model): RosterModel => ({
      id: idOf(service, model.name),
      label: model.label,
      service: service.id,
      serviceLabel: service.label,
      layer: service.layer,
      contextTokens: model.contextTokens,
      outputTokens: model.outputTokens,
      effort: model.effort,
      demo: model.demo,
    })),
  );
  const listedIn = (service: RosterService | undefined, name: string): Target | undefined => {
    const model = service?.models.find((each) => each.name === name);
    return service && model && targetOf(service, model);
  };
  const split = (name: string): [RosterService | undefined, string] => {
    const slash = name.indexOf('/');
    return [services.find(({ id, bare }) => !bare && id === name.slice(0, slash)), name.slice(slash + 1)];
  };
  const find = (name: string): Target | undefined => {
    if (isAutomatic(name)) return automatic;
    const meant = Object.hasOwn(tiers, name) ? (tiers[name] ?? name) : name;
    // Split once, at the first slash: most names of a gateway hold one themselves.
    const prefixed = listedIn(...split(meant));
    if (prefixed) return prefixed;
    for (const service of services) {
      const bare = listedIn(service, meant);
      if (bare) return bare;
    }
    // A service whose list cannot be had may well know it: it is asked, and refuses what it does not.
    const [service, rest] = split(meant);
    if (service?.problem && rest !== '') return targetOf(service, { name: rest, label: rest, effort: 'unknown' });
    return undefined;
  };
  return {
    services,
    models,
    automatic,
    find,
    describe: (target) => models.find(({ id }) => id === target.id),
  };
}

const idOf = ({ id, bare }: RosterService, name: string): string => (bare ? name : `${id}/${name}`);

/** Every word has to match something, anywhere in it and whatever its case: the name shown, the name sent or the service. */
export function searchModels(models: readonly RosterModel[], words: string): RosterModel[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const text = [model.label, model.id, model.service, model.serviceLabel].map((part) => part.toLowerCase());
    return wanted.every((word) => text.some((part) => part.includes(word)));
  });
}
