/** What the writer of one settings layer should know of it. Guarantees that everything in it which changes nothing is named with its place; it must never repeat a value, save the text of a rule. */
import { RULE_FAMILIES, type RuleFamily } from '../rules/rule.ts';
import { lintRules } from '../rules/lint-rules.ts';
import type { CompiledSettings } from './compile-settings.ts';

export interface SettingsWarning {
  /** `unreadable`, `shadowed`, `repeated`, `no_tool`, `no_server` and `waits` are of a rule; `ignored` and `useless` of a key. */
  readonly code: string;
  /** Dotted; an entry of a list with its place counted from 0, as `permissions.deny[2]`. */
  readonly key: string;
  /** The rule as written; empty where it is about a key. */
  readonly rule: string;
  readonly text: string;
}

/** @param families families of the tools there are; names that are none are read past. */
export function warnOfSettings(
  { settings, rules }: CompiledSettings,
  layer: string,
  families: readonly string[],
): readonly SettingsWarning[] {
  const offered = families.filter((name): name is RuleFamily => RULE_FAMILIES.some((family) => family === name));
  const ofRules = lintRules(rules, { families: offered, servers: [], caseFolding: false })
    .filter((useless) => useless.layer === layer)
    .map(({ code, list, at, rule, text }) => ({ code, key: `permissions.${list}[${at}]`, rule, text }));
  const ofKeys = [
    ...settings.ignored.map((note) => ({ ...note, code: 'ignored' })),
    ...settings.useless.map((note) => ({
      ...note,
      code: 'useless',
      text: `It counts as absent: it must be ${note.needed}.`,
    })),
  ].filter((note) => note.layer === layer);
  return [...ofRules, ...ofKeys.map(({ code, key, text }) => ({ code, key, rule: '', text }))];
}
