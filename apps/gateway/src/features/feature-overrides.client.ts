/** Feature overrides at identity, for the operator. */
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/identity';
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { operatorSubject } from '../callers/caller.ts';
import { textOfInstant } from '../routes/shapes.ts';
import type { FeatureOverrides } from './feature-overrides.ts';
import type { OverrideView } from './feature-routes.ts';

export const createFeatureOverrides = (identity: IdentityClient): FeatureOverrides => ({
  list: async (operator, workspaceSlug) => {
    const request = { workspaceId: '', workspaceSlug };
    const { overrides } = await identity.listFeatureOverrides(request, { subject: operatorSubject(operator) });
    return overrides.map(toView);
  },
  set: async (operator, workspaceSlug, override) => {
    const request = { override: { ...override, workspaceId: '', workspaceSlug, createdBy: '', createdAt: undefined } };
    const answer = await identity.setFeatureOverride(request, { subject: operatorSubject(operator) });
    if (!answer.override) throw new Fault('internal', 'Identity answered without the override.');
    return toView(answer.override);
  },
});

const toView = ({
  feature,
  enabled,
  reason,
  createdBy,
  createdAt,
  expiresAt,
}: proto.FeatureOverride): OverrideView => ({
  feature,
  enabled,
  reason,
  created_by: createdBy,
  created_at: textOfInstant(createdAt),
  expires_at: textOfInstant(expiresAt),
});
