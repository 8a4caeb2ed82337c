/** Lets the operator, and nobody else, switch a feature for one workspace, with a reason and at will an end. */
import { Fault } from '@bravo/faults';
import { type Actor, actorName, requireOperator } from '../callers/actor.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { PeopleStore } from '../people/person.ts';
import { type FeatureOverride, FEATURES, type FeatureStore, isFeature } from './feature.ts';

export interface WorkspaceReference {
  readonly workspaceId: string;
  /** Alternative to the id. */
  readonly workspaceSlug: string;
}

export interface OverrideRequest extends WorkspaceReference {
  readonly feature: string;
  readonly enabled: boolean;
  readonly reason: string;
  readonly expiresAt: Date | undefined;
}

export interface FeatureOverrideParts {
  readonly features: FeatureStore;
  readonly people: PeopleStore;
  readonly invalidation: Invalidation;
  readonly now: () => Date;
}

export const createFeatureOverrides = ({ features, people, invalidation, now }: FeatureOverrideParts) => {
  const workspaceOf = async ({ workspaceId, workspaceSlug }: WorkspaceReference): Promise<string> => {
    const workspace = workspaceId
      ? await people.findWorkspace(workspaceId)
      : await people.findWorkspaceBySlug(workspaceSlug);
    if (!workspace) throw new Fault('not_found', 'There is no such workspace.');
    return workspace.id;
  };

  return {
    list: async (actor: Actor, reference: WorkspaceReference): Promise<FeatureOverride[]> => {
      requireOperator(actor, 'see feature overrides');
      return features.listOverrides(await workspaceOf(reference));
    },
    set: async (actor: Actor, request: OverrideRequest): Promise<FeatureOverride> => {
      requireOperator(actor, 'override features');
      const { feature, enabled, expiresAt } = request;
      const reason = request.reason.trim();
      if (!isFeature(feature)) {
        throw new Fault('invalid_argument', `"${feature}" is no feature. Use one of ${FEATURES.join(', ')}.`, {
          meta: { field: 'feature' },
        });
      }
      if (reason === '' || reason.length > 500) {
        throw new Fault('invalid_argument', 'reason must say why, in 1 to 500 characters.', {
          meta: { field: 'reason' },
        });
      }
      if (expiresAt && expiresAt <= now()) {
        throw new Fault('invalid_argument', 'expires_at lies in the past.', { meta: { field: 'expires_at' } });
      }
      const workspaceId = await workspaceOf(request);
      const override = await features.putOverride(
        { workspaceId, feature, enabled, reason, createdBy: actor.userId, expiresAt },
        actorName(actor),
      );
      invalidation.announce(workspaceId, {});
      return override;
    },
  };
};
