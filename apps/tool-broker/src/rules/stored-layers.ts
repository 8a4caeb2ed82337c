/** The settings layers a conversation began with, made into rules once. What cannot be read is `unknown`, which denies; nothing here takes a missing layer for an empty one. */
import { type CompiledRules, compileSettings } from '@bravo/policy';

/** One stored layer as identity had it. */
export interface StoredLayer {
  readonly layer: 'platform' | 'workspace' | 'user';
  /** Of the document; 0: nobody had written one. */
  readonly version: number;
  /** JSON text of an object. */
  readonly text: string;
}

export type RulesOf = (policyVersion: string, layers: readonly StoredLayer[] | 'unknown') => CompiledRules | 'unknown';

/** Compiled rules of a conversation stay; of as many policies at once, the one used longest ago goes. */
const MOST_KEPT = 200;

/** The policy version covers the layers' text, so equal versions have equal rules. */
export const createRulesOf = (compile = compileSettings, mostKept = MOST_KEPT): RulesOf => {
  const kept = new Map<string, CompiledRules>();
  return (policyVersion, layers) => {
    if (layers === 'unknown') return 'unknown';
    const found = kept.get(policyVersion) ?? compiled(compile, layers);
    if (found === 'unknown') return 'unknown';
    kept.delete(policyVersion);
    kept.set(policyVersion, found);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    return found;
  };
};

const compiled = (compile: typeof compileSettings, layers: readonly StoredLayer[]): CompiledRules | 'unknown' => {
  const { rules, unreadableLayers } = compile(layers);
  return unreadableLayers.length > 0 ? 'unknown' : rules;
};
