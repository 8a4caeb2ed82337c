/** The closed list of features, what each plan includes, and what decides: override, then instance flag, then plan. */

export const FEATURES = ['bravo', 'code_exec'] as const;
export type Feature = (typeof FEATURES)[number];

export const isFeature = (name: string): name is Feature => (FEATURES as readonly string[]).includes(name);

/** `bravo` is in no plan: it is dark until somebody switches it on. */
const PLAN_MATRIX: Readonly<Record<string, readonly Feature[]>> = {
  free: [],
  pro: ['code_exec'],
  team: ['code_exec'],
  enterprise: ['code_exec'],
};

export type DecidedBy = 'override' | 'instance' | 'plan' | 'unreadable';

export interface FeatureState {
  readonly name: Feature;
  readonly enabled: boolean;
  readonly decidedBy: DecidedBy;
}

export interface FeatureOverride {
  readonly workspaceId: string;
  readonly feature: Feature;
  readonly enabled: boolean;
  readonly reason: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Undefined: until it is replaced. */
  readonly expiresAt: Date | undefined;
}

export interface FeatureFacts {
  readonly plan: string;
  readonly override: Pick<FeatureOverride, 'enabled' | 'expiresAt'> | undefined;
  readonly instanceFeatures: readonly string[];
  readonly now: Date;
}

export const decideFeature = (feature: Feature, facts: FeatureFacts): { enabled: boolean; decidedBy: DecidedBy } => {
  const { override, plan, instanceFeatures, now } = facts;
  if (override && (override.expiresAt === undefined || override.expiresAt > now)) {
    return { enabled: override.enabled, decidedBy: 'override' };
  }
  if (instanceFeatures.includes(feature)) return { enabled: true, decidedBy: 'instance' };
  return { enabled: PLAN_MATRIX[plan]?.includes(feature) ?? false, decidedBy: 'plan' };
};

export interface FeatureStore {
  /** Undefined when there is no such workspace. */
  readFacts(workspaceId: string, feature: Feature): Promise<Pick<FeatureFacts, 'plan' | 'override'> | undefined>;
  listOverrides(workspaceId: string): Promise<FeatureOverride[]>;
  putOverride(override: Omit<FeatureOverride, 'createdAt'>, actor: string): Promise<FeatureOverride>;
}
