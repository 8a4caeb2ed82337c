/** Feature overrides over HTTP, for the operator of the platform. */
import { Controller, Inject } from '@nestjs/common';
import type { SignedIn } from '../callers/caller.ts';
import { TheSignedIn } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import type { FeatureOverrides } from './feature-overrides.ts';
import { LIST_OVERRIDES, type OverrideView, SET_OVERRIDE } from './feature-routes.ts';

export const FEATURE_OVERRIDES = Symbol('feature-overrides');

@Controller()
export class FeatureOverridesController {
  readonly #overrides: FeatureOverrides;
  constructor(@Inject(FEATURE_OVERRIDES) overrides: FeatureOverrides) {
    this.#overrides = overrides;
  }

  @Serve(LIST_OVERRIDES)
  async listOverrides(@TheSignedIn() operator: SignedIn, @Checked() { params }: Input<typeof LIST_OVERRIDES>) {
    return { overrides: await this.#overrides.list(operator, params['ws'] ?? '') };
  }

  @Serve(SET_OVERRIDE)
  setOverride(
    @TheSignedIn() operator: SignedIn,
    @Checked() { params, body }: Input<typeof SET_OVERRIDE>,
  ): Promise<OverrideView> {
    const { feature, enabled, reason, expires_at: expiresAt } = body;
    return this.#overrides.set(operator, params['ws'] ?? '', {
      feature,
      enabled,
      reason,
      expiresAt: expiresAt ? new Date(expiresAt) : undefined,
    });
  }
}
