/** Which features the operator has switched for one workspace, whatever its plan says. */
import type { SignedIn } from '../callers/caller.ts';
import type { OverrideView } from './feature-routes.ts';

export interface FeatureOverrides {
  list(operator: SignedIn, workspaceSlug: string): Promise<OverrideView[]>;
  set(
    operator: SignedIn,
    workspaceSlug: string,
    override: { feature: string; enabled: boolean; reason: string; expiresAt: Date | undefined },
  ): Promise<OverrideView>;
}
