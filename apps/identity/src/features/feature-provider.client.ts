/** Our OpenFeature provider: booleans from the feature store, and off whenever the store cannot be read or the flag is unknown. */
import {
  ErrorCode,
  type EvaluationContext,
  OpenFeature,
  type Provider,
  type ResolutionDetails,
} from '@openfeature/server-sdk';
import { type DecidedBy, decideFeature, type Feature, type FeatureStore, isFeature } from './feature.ts';

export interface FeatureProviderParts {
  readonly features: FeatureStore;
  readonly instanceFeatures: readonly string[];
  readonly now: () => Date;
}

const notOffered = <T>(value: T): Promise<ResolutionDetails<T>> =>
  Promise.resolve({ value, errorCode: ErrorCode.TYPE_MISMATCH, errorMessage: 'Features are on or off, nothing else.' });

export const createFeatureProvider = ({ features, instanceFeatures, now }: FeatureProviderParts): Provider => ({
  metadata: { name: 'bravo-postgres' },
  runsOn: 'server',
  resolveBooleanEvaluation: async (flag: string, _default: boolean, context: EvaluationContext) => {
    if (!isFeature(flag)) return { value: false, errorCode: ErrorCode.FLAG_NOT_FOUND };
    const workspaceId = context.targetingKey ?? '';
    try {
      const facts = await features.readFacts(workspaceId, flag);
      if (!facts) return { value: false, errorCode: ErrorCode.TARGETING_KEY_MISSING };
      const { enabled, decidedBy } = decideFeature(flag, { ...facts, instanceFeatures, now: now() });
      return { value: enabled, reason: decidedBy };
    } catch {
      return { value: false, errorCode: ErrorCode.GENERAL, errorMessage: 'The feature store cannot be read.' };
    }
  },
  resolveStringEvaluation: (_flag, value) => notOffered(value),
  resolveNumberEvaluation: (_flag, value) => notOffered(value),
  resolveObjectEvaluation: (_flag, value) => notOffered(value),
});

export interface FeatureGate {
  evaluate(workspaceId: string, feature: Feature): Promise<{ enabled: boolean; decidedBy: DecidedBy }>;
}

/** `domain` keeps two gates in one process (two specs, for example) apart. */
export const createFeatureGate = async (provider: Provider, domain: string): Promise<FeatureGate> => {
  await OpenFeature.setProviderAndWait(domain, provider);
  const client = OpenFeature.getClient(domain);
  return {
    evaluate: async (workspaceId, feature) => {
      const details = await client.getBooleanDetails(feature, false, { targetingKey: workspaceId });
      // Whatever went wrong, the answer is off.
      if (details.errorCode) return { enabled: false, decidedBy: 'unreadable' };
      return { enabled: details.value, decidedBy: (details.reason ?? 'unreadable') as DecidedBy };
    },
  };
};
