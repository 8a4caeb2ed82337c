/** Every feature of a workspace with what decided it; features of a workspace the caller is not in are not told. */
import { Fault } from '@bravo/faults';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import type { PeopleStore } from '../people/person.ts';
import { FEATURES, type DecidedBy, type Feature, type FeatureState } from './feature.ts';

export interface ResolveFeaturesParts {
  readonly people: PeopleStore;
  readonly gate: {
    evaluate(workspaceId: string, feature: Feature): Promise<{ enabled: boolean; decidedBy: DecidedBy }>;
  };
}

export const createResolveFeatures =
  ({ people, gate }: ResolveFeaturesParts) =>
  async (actor: Actor, workspaceId: string): Promise<{ plan: string; features: FeatureState[] }> => {
    requireWorkspace(actor, workspaceId);
    const features = await Promise.all(
      FEATURES.map(async (name) => ({ name, ...(await gate.evaluate(workspaceId, name)) })),
    );
    // The plan is a courtesy: when the store cannot be read the answer "all off" still goes out.
    const workspace = await people.findWorkspace(workspaceId).catch(() => null);
    if (workspace === undefined) throw new Fault('not_found', 'There is no such workspace.');
    return { plan: workspace?.plan ?? '', features };
  };
