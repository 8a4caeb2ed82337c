/** ResolveFeatures and the overrides on the wire. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import type { createFeatureOverrides } from './feature-overrides.ts';
import type { FeatureOverride } from './feature.ts';
import type { createResolveFeatures } from './resolve-features.ts';

type Methods = 'resolveFeatures' | 'setFeatureOverride' | 'listFeatureOverrides';

export const featureHandlers = (use: {
  resolveFeatures: ReturnType<typeof createResolveFeatures>;
  featureOverrides: ReturnType<typeof createFeatureOverrides>;
}): Pick<Handlers<typeof proto.IdentityServiceService>, Methods> => ({
  resolveFeatures: async ({ workspaceId }, { principal }) => use.resolveFeatures(actorOf(principal), workspaceId),
  setFeatureOverride: async ({ override }, { principal }) => {
    if (!override) throw new Fault('invalid_argument', 'override is missing.', { meta: { field: 'override' } });
    const request = { ...override, expiresAt: override.expiresAt };
    return { override: toProtoOverride(await use.featureOverrides.set(actorOf(principal), request)) };
  },
  listFeatureOverrides: async (request, { principal }) => ({
    overrides: (await use.featureOverrides.list(actorOf(principal), request)).map(toProtoOverride),
  }),
});

const toProtoOverride = (override: FeatureOverride): proto.FeatureOverride => ({ ...override, workspaceSlug: '' });
