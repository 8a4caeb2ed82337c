/** What of libs/policy is decision code, area by area, and which specs measure it. Guarantees that code is measured by the specs of its own area alone: what only another area's would notice counts as survived. */

export interface MutationArea {
  /** Files and patterns, seen from libs/policy/src. */
  readonly code: readonly string[];
  /** Names of specs seen from there, without their ending. */
  readonly specs: readonly string[];
}

/**
 * Decision code is what an effect, a label or a rule's reach is computed by. It is not: types and tables (facts, decision, limits),
 * canonical JSON and manifests (they fail in one way, by an error), what only words an answer for a person (explanations, linter,
 * doctor, schema), and the translation of search patterns, which decides no call.
 */
export const MUTATION_AREAS: Readonly<Record<string, MutationArea>> = {
  decision: { code: ['decide*.ts', 'grants.ts', 'judge-tool-lists.ts'], specs: ['decide*', 'grants', 'judge-tool-lists'] },
  labels: {
    code: ['label.ts', 'first-label.ts', 'label-result.ts', 'trust-map.ts', 'context.ts'],
    specs: ['label*', 'trust-map*', 'context*'],
  },
  rules: {
    code: ['rules/*.ts', '!rules/lint-rules.ts', '!rules/subsume-rule.ts'],
    specs: ['rules/*'],
  },
  lines: { code: ['lines/*.ts'], specs: ['lines/*'] },
  settings: {
    code: ['settings/merge-settings.ts', 'settings/tenant-provider.ts', 'settings/read-layer.ts'],
    specs: ['settings/*'],
  },
  addresses: { code: ['addresses/*.ts'], specs: ['addresses/*'] },
  globs: { code: ['globs/*.ts'], specs: ['globs/*'] },
};
