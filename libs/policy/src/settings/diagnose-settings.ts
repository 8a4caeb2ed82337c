/** What settings come to: what is in force, from which layer, and what is wrong. Guarantees names, places and reasons; it must never repeat a value, save the text of a rule. */
import { RULE_LISTS, type RuleList } from '../rules/rule.ts';
import type { CompiledSettings } from './compile-settings.ts';
import { resolveProviders, type ProviderRules, type ResolvedProvider } from './resolve-providers.ts';
import { warnOfSettings } from './warn-of-settings.ts';

/** A value in force by its dotted key, without the value. */
export interface InForce {
  readonly key: string;
  readonly layer: string;
  /** Layers that said otherwise and were overridden, weakest first. */
  readonly overridden: readonly string[];
}

export interface DiagnosedProvider {
  readonly id: string;
  readonly layer: string;
  /** Host of the destination; empty where there is none. */
  readonly host: string;
  /** `secret`, `operator` or `document`: where the key is from. `none`: the provider names none. `missing`: none of its names is set. */
  readonly credential: 'secret' | 'operator' | 'document' | 'none' | 'missing';
  /** Names looked for, in order. */
  readonly names: readonly string[];
  readonly models: number;
}

export interface Finding {
  /** An error makes the diagnosis fail: something a person wrote is not in force. */
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly layer: string;
  readonly key: string;
  readonly rule: string;
  /** Line of the document, from 1; 0 where none can be told. */
  readonly line: number;
  readonly text: string;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly settings: readonly InForce[];
  /** Names under `env` that are set. */
  readonly variables: readonly InForce[];
  readonly providers: readonly DiagnosedProvider[];
  /** Rules in force by list and layer. */
  readonly rules: readonly { readonly list: RuleList; readonly layer: string; readonly count: number }[];
  /** Entries in force of the lists that are no rules, by dotted key and layer. */
  readonly lists: readonly { readonly key: string; readonly layer: string; readonly count: number }[];
  readonly findings: readonly Finding[];
}

export interface DiagnoseContext extends ProviderRules {
  /** Families of the tools there are. */
  readonly families: readonly string[];
  /** Names of the workspace's sealed secrets. */
  readonly secrets: readonly string[];
  /** Names the operator set for providers of the platform; absent: whoever asks cannot see them, and none is called missing. */
  readonly operatorNames?: readonly string[];
}

export function diagnoseSettings(compiled: CompiledSettings, context: DiagnoseContext): Diagnosis {
  const { settings, rules } = compiled;
  const inForce = [...settings.origins].map(([key, layers]): InForce => {
    return { key, layer: layers.at(-1) ?? '', overridden: layers.slice(0, -1) };
  });
  const resolved = resolveProviders(settings, context);
  const providers = resolved.providers.map((provider) => diagnoseProvider(provider, context));
  const findings: Finding[] = [
    ...settings.problems
      .filter(({ what }) => what !== 'unreadable-rule')
      .map(({ layer, what, text, line = 0 }) => error(what.replace('-', '_'), layer, '', text, line)),
    ...[...new Set(rulesAndKeys(compiled))].flatMap((layer) => ofLayer(compiled, layer, context)),
    ...resolved.refused.map(({ key, layer, text }) => error('refused_provider', layer, key, text)),
    ...providers.filter(({ credential }) => credential === 'missing').map(missingKey),
    ...unknownModel(compiled, resolved.providers),
  ];
  return {
    ok: findings.every(({ severity }) => severity !== 'error'),
    settings: inForce.filter(({ key }) => !key.startsWith('env.')),
    variables: inForce.filter(({ key }) => key.startsWith('env.')),
    providers,
    rules: RULE_LISTS.flatMap((list) =>
      countByLayer(rules.rules.filter((rule) => rule.list === list)).map((counted) => ({ list, ...counted })),
    ),
    lists: Object.entries(settings.additions).flatMap(([key, entries]) =>
      countByLayer(entries).map((counted) => ({ key, ...counted })),
    ),
    findings,
  };
}

function countByLayer(
  entries: readonly { readonly layer: string }[],
): readonly { readonly layer: string; readonly count: number }[] {
  return [...Map.groupBy(entries, ({ layer }) => layer)].map(([layer, of]) => ({ layer, count: of.length }));
}

function rulesAndKeys({ settings, rules }: CompiledSettings): readonly string[] {
  const noted = [...settings.ignored, ...settings.useless].map(({ layer }) => layer);
  return [...rules.dropped, ...rules.proposals, ...rules.rules].map(({ layer }): string => layer).concat(noted);
}

function ofLayer(compiled: CompiledSettings, layer: string, { families }: DiagnoseContext): readonly Finding[] {
  const refused = new Set(
    compiled.settings.ignored
      .filter(({ why }) => why === 'refused-provider')
      .map(({ layer, key }) => `${layer} ${key}`),
  );
  return warnOfSettings(compiled, layer, families).map(({ code, key, rule, text }) => {
    const isError = code === 'unreadable' || (code === 'ignored' && refused.has(`${layer} ${key}`));
    return { severity: isError ? 'error' : 'warning', code, layer, key, rule, line: 0, text };
  });
}

function diagnoseProvider(
  { id, layer, baseUrl, keyNames, keysIn, inlineKey, models }: ResolvedProvider,
  { secrets, operatorNames }: DiagnoseContext,
): DiagnosedProvider {
  const isSealed = keyNames.some((name) => secrets.includes(name));
  const isOperators = keysIn === 'operator' && keyNames.some((name) => operatorNames?.includes(name) ?? true);
  const found = isSealed ? 'secret' : isOperators ? 'operator' : undefined;
  const unnamed = keyNames.length === 0 ? 'none' : 'missing';
  return {
    ...{ id, layer, names: keyNames, models: models.length },
    host: /^[a-z]+:\/\/([^/?#]+)/i.exec(baseUrl)?.[1] ?? '',
    credential: found ?? (inlineKey === undefined ? unnamed : 'document'),
  };
}

function missingKey({ id, layer, names }: DiagnosedProvider): Finding {
  const text = `None of ${names.join(', ')} is set, so its requests cannot be signed. Set one of them as a secret of the workspace.`;
  return error('credential_missing', layer, `provider.${id}.env`, text);
}

/** A model that names a provider by its id, where no such provider is in force. */
function unknownModel({ settings }: CompiledSettings, providers: readonly ResolvedProvider[]): readonly Finding[] {
  const model = settings.effective['model'];
  const layer = settings.origins.get('model')?.at(-1) ?? '';
  const id = typeof model === 'string' && model.includes('/') ? model.slice(0, model.indexOf('/')) : undefined;
  if (id === undefined || typeof model !== 'string') return [];
  const offered = providers.some((one) => one.id === id || one.models.some((each) => each.id === model));
  if (offered) return [];
  const text = `No provider in force has the id before the first slash or lists the whole name, so what answers may be another model.`;
  return [{ severity: 'warning', code: 'model_unknown', layer, key: 'model', rule: '', line: 0, text }];
}

function error(code: string, layer: string, key: string, text: string, line = 0): Finding {
  return { severity: 'error', code, layer, key, rule: '', line, text };
}
