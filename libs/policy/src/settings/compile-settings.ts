/** Stored settings layers to the rules that judge calls on a server. Guarantees that the broker judges by what an editor was warned about; it must never take a layer that cannot be read for one that says nothing. */
import type { RuleHit } from '../facts.ts';
import { type CompiledRules, compileRules, type RuleContext, type RuleSource } from '../rules/compile-rules.ts';
import type { RuleList } from '../rules/rule.ts';
import { readRule } from '../rules/read-rule.ts';
import { type LayerSource, type MergedSettings, mergeSettings } from './merge-settings.ts';

/** The files of a conversation as its programs see them: where an absolute rule such as `Read(//workspace/a)` begins. */
export const WORKSPACE_ROOT = '/workspace';

/** On a server a stored layer lies in no directory and nobody has a home, so a rule that begins at one of them is unreadable and named. */
const NO_PLACE = { home: null, settingsDir: null, backslashSeparates: false } as const;
export const ON_SERVER: RuleContext = { home: NO_PLACE.home, caseFolding: false, platform: 'posix' };

/** A repository's file lies in the files themselves, and its single leading slash begins where they do. */
const settingsDirOf = (layer: string): string | null => (layer === 'repository' ? WORKSPACE_ROOT : null);

export interface CompiledSettings {
  readonly settings: MergedSettings;
  readonly rules: CompiledRules;
  /** Layers that could not be read at all. Where there is one, nobody knows what it would have refused. */
  readonly unreadableLayers: readonly string[];
}

export interface CompileOptions {
  /** Hosts besides the public ones that the operator lets a tenant's provider name. */
  readonly providerHosts?: readonly string[];
  /** How a rule is named where its text is not to be told, by layer: the text of a file nobody vouched for is quarantined. */
  readonly nameRule?: (layer: string, list: RuleList, at: number) => string | undefined;
}

export function compileSettings(sources: readonly LayerSource[], options: CompileOptions = {}): CompiledSettings {
  const { providerHosts = [], nameRule } = options;
  const settings = mergeSettings(sources, {
    providerHosts,
    whyUnreadable: (rule, layer) => {
      const reading = readRule(rule, { ...NO_PLACE, settingsDir: settingsDirOf(layer) });
      return 'unreadable' in reading ? reading.unreadable.text : undefined;
    },
  });
  return {
    settings,
    rules: compileRules(
      settings.ruleSources.map(({ layer, ...lists }): RuleSource => ({
        ...lists,
        layer: layer as RuleHit['layer'],
        settingsDir: settingsDirOf(layer),
        ...(nameRule === undefined ? {} : { nameRule: (list, at) => nameRule(layer, list, at) }),
      })),
      ON_SERVER,
    ),
    unreadableLayers: settings.problems.filter(({ what }) => what !== 'unreadable-rule').map(({ layer }) => layer),
  };
}
