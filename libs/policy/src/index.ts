export * from './canonical-call.ts';
export * from './canonical-json.ts';
export * from './check-manifest.ts';
export * from './context.ts';
export { decide } from './decide.ts';
export { listCredentials } from './decide-refusals.ts';
export * from './decision.ts';
export * from './explain-call.ts';
export * from './facts.ts';
export * from './first-label.ts';
export { refuseScope, scopeOfCall } from './grants.ts';
export * from './json.ts';
export { judgeToolLists } from './judge-tool-lists.ts';
export * from './label-result.ts';
export * from './label.ts';
export * from './manifest.ts';
export * from './permissions.ts';
export * from './definitions/meet-agents.ts';
export * from './definitions/read-definition.ts';
export * from './edits/plan-edit.ts';
export type { Preview, PreviewContent, PreviewRow, ShownQuestion } from './previews/preview.ts';
export { type DrawnCall, MAX_CONTENT_ROWS, renderPreview } from './previews/render-preview.ts';
export { type Mark, type ShownText, showText } from './previews/shown-text.ts';
export { type AskedQuestion, questionDigest, readQuestions } from './questions/asked-question.ts';
export * from './trust-map.ts';
export { compileGlob, type Glob } from './globs/glob.ts';
export type { StepMeter } from './globs/match-segments.ts';
export type { UnsupportedGlobSyntax } from './globs/name-unsupported.ts';
export * from './limits/limit.ts';
export * from './limits/limits.ts';
export type { PatternRefusal, PatternRefusalReason } from './search/refusal.ts';
export * from './search/search-pattern.ts';
export * from './addresses/judge-host.ts';
export { isForbiddenAddress } from './addresses/forbidden-address.ts';
export { canonicalAddress, isPublicAddress } from './addresses/public-address.ts';
export * from './settings/choose-model.ts';
export * from './settings/compile-settings.ts';
export * from './settings/diagnose-settings.ts';
export * from './settings/merge-settings.ts';
export { type JsonReading, readStrictJson } from './settings/read-strict-json.ts';
export * from './settings/resolve-providers.ts';
export { SETTINGS_LAYERS, type SettingsLayer, SINGLE_USER_LAYERS } from './settings/settings-layer.ts';
export type { IgnoredKey, SettingsNotes, SettingsProblem, UselessValue } from './settings/settings-note.ts';
export { refuseTenantProvider } from './settings/tenant-provider.ts';
export { isJsonObject } from './settings/settings-keys.ts';
export { SETTINGS_SCHEMA } from './settings/settings-schema.ts';
export * from './settings/warn-of-settings.ts';
export * from './settings/withhold-credentials.ts';
export * from './lines/compile-line.ts';
export {
  type CompiledLine,
  type Connector,
  LINE_REFUSALS,
  type LinePlan,
  type LineRefusal,
  type LineRefusalCode,
  type Redirect,
  type Step as LineStep,
} from './lines/line-plan.ts';
export * from './lines/judge-plan.ts';
export * from './lines/prove-reads.ts';
export * from './rules/candidate.ts';
export * from './rules/compile-rules.ts';
export { judgeWatched } from './rules/judge-watched.ts';
export * from './rules/lint-rules.ts';
export { type PathAnchors } from './rules/path-pattern.ts';
export { type PathSpelling } from './rules/judged-part.ts';
export { readRule } from './rules/read-rule.ts';
export * from './rules/rule.ts';
export * from './rules/spell-path.ts';
export { type ListedRule, subsumes } from './rules/subsume-rule.ts';
export { hostOfUrl } from './rules/url-host.ts';
