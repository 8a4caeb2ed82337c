/** The settings layers of a conversation, made into rules once. What cannot be read is `unknown`, which denies; nothing here takes a missing layer for an empty one. */
import { type CompiledRules, type CompiledSettings, compileSettings } from '@bravo/policy';

/** One settings layer as identity, or the conversation's files, had it. */
export interface StoredLayer {
  readonly layer: 'platform' | 'workspace' | 'user' | 'repository' | 'conversation';
  /** Of the document; 0: nobody had written one. */
  readonly version: number;
  /** JSON text of an object. */
  readonly text: string;
  /** False: its words are quarantined, so a rule is named by its place. */
  readonly told?: boolean;
  /** Of a repository: allow rules the person accepted. */
  readonly accepted?: readonly string[];
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

/** Of a file nobody vouched for, even the text of a rule is quarantined: it could say anything. */
export const compileLayers = (layers: readonly StoredLayer[], compile = compileSettings): CompiledSettings =>
  compile(
    layers.map(({ layer, text, accepted = [] }) => ({ layer, text, acceptedRules: accepted })),
    {
      nameRule: (name, list, at) =>
        layers.some(({ layer, told }) => layer === name && told === false) ? `permissions.${list}[${at}]` : undefined,
    },
  );

const compiled = (compile: typeof compileSettings, layers: readonly StoredLayer[]): CompiledRules | 'unknown' => {
  const { rules, unreadableLayers } = compileLayers(layers, compile);
  return unreadableLayers.length > 0 ? 'unknown' : rules;
};
