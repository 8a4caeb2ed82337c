/** Settings of all layers to the settings in force. Guarantees that nothing a layer takes away is handed back by a closer one and that every winner is named; it must never take from a layer what that layer may not say. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { LayerContent } from './read-document.ts';
import { readLayer } from './read-layer.ts';
import type { RuleList } from '../rules/rule.ts';
import { isJsonObject, LIST_KEYS, type ListKey } from './settings-keys.ts';
import { SETTINGS_LAYERS, type SettingsLayer } from './settings-layer.ts';
import type { SettingsNotes } from './settings-note.ts';
import { refuseTenantProvider } from './tenant-provider.ts';

export interface LayerSource {
  /** A name of `layers`; a source of any other layer is not read. */
  readonly layer: string;
  /** The document as it was written; undefined where there is none. */
  readonly text: string | undefined;
  /** Allow rules of this layer that the person accepted. Asked only of a layer whose rules are proposals. */
  readonly acceptedRules?: readonly string[];
}

export interface MergeOptions {
  /** Weakest first. */
  readonly layers?: readonly SettingsLayer[];
  /** Variables over all files. On a server these are the operator's for this purpose, never a process environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Why an entry of a rule list is none, for a person; undefined where it is one. What a rule may anchor to depends on the layer. */
  readonly whyUnreadable: (rule: JsonValue, layer: string) => string | undefined;
  /** Hosts besides the public ones that the operator lets a tenant's provider name. */
  readonly providerHosts?: readonly string[];
}

export interface LayeredRule {
  readonly rule: string;
  readonly layer: string;
}

/** A layer's three lists, entries as they were written. */
export interface LayerRules extends Readonly<Partial<Record<RuleList, readonly JsonValue[]>>> {
  readonly layer: string;
  /** Of a layer that only proposes allow rules, those the person accepted. */
  readonly accepted: readonly string[];
}

export interface MergedSettings extends SettingsNotes {
  /** The settings in force in the shape they are written; a block nobody set is absent. */
  readonly effective: JsonObject;
  /** Rules in force, weakest layer first, each with the layer it is from. */
  readonly rules: Readonly<Record<RuleList, readonly LayeredRule[]>>;
  /** Entries in force of the lists that are no rules, by the list's dotted key, weakest layer first. */
  readonly additions: Readonly<Record<string, readonly LayeredRule[]>>;
  /** The lists as each layer wrote them, unreadable entries and all, for compiling: what a lock holds down is left out. */
  readonly ruleSources: readonly LayerRules[];
  /** Allow rules that wait for the person to accept them. */
  readonly proposals: readonly LayeredRule[];
  /** Dotted key of every single value to the layers that set it, the one that won last. `environment` is over all. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  /** Hosts besides the public ones that a tenant's provider may name. */
  readonly providerHosts: readonly string[];
}

/** The name of what is over all layers, in `origins`. */
export const ENVIRONMENT_ORIGIN = 'environment';

interface Held {
  readonly key: string;
  readonly by: string;
}

export function mergeSettings(sources: readonly LayerSource[], options: MergeOptions): MergedSettings {
  const { layers = SETTINGS_LAYERS, environment = {}, whyUnreadable, providerHosts: listed = [] } = options;
  const providerHosts: string[] = [...listed];
  const notes: SettingsNotes = { ignored: [], useless: [], problems: [] };
  const values = new Map<string, JsonValue>();
  const origins = new Map<string, string[]>();
  const lists = new Map<ListKey, LayeredRule[]>(LIST_KEYS.map((key) => [key, []]));
  const proposals: LayeredRule[] = [];
  const ruleSources: LayerRules[] = [];
  const held: Held[] = [];

  const setValue = (key: string, value: JsonValue, origin: string): void => {
    values.set(key, value);
    origins.set(key, [...(origins.get(key) ?? []), origin]);
  };
  const takeValues = (content: LayerContent, layer: SettingsLayer): void => {
    for (const [key, value] of content.values) {
      const lock = lockOn(key, held);
      const refusal =
        key.startsWith('provider.') && layer.providers === 'tenant' && isJsonObject(value)
          ? refuseTenantProvider(value, providerHosts)
          : undefined;
      if (lock !== undefined) notes.ignored.push(lockedKey(layer, key, lock));
      else if (key === 'env.AWS_PROFILE' && layer.providers === 'tenant')
        notes.ignored.push({ layer: layer.name, key, why: 'not-on-this-layer', text: NO_PROFILE });
      else if (refusal !== undefined)
        notes.ignored.push({ layer: layer.name, key, why: 'refused-provider', text: refusal });
      else if (isLooser(key, value, values.get(key)))
        notes.ignored.push({ layer: layer.name, key, why: 'looser', text: 'An earlier layer sets a smaller limit.' });
      else setValue(key, value, layer.name);
    }
  };
  const takeLists = (content: LayerContent, layer: SettingsLayer, accepted: readonly string[]): void => {
    for (const [key, entries] of content.lists) {
      // What only takes away holds from every layer, whatever is locked.
      const lock = GRANTS.includes(key) ? lockOn(key, held) : undefined;
      if (lock !== undefined) notes.ignored.push(lockedKey(layer, key, lock));
      else {
        for (const rule of entries) {
          const proposed = key === 'permissions.allow' && layer.allowRules === 'propose' && !accepted.includes(rule);
          (proposed ? proposals : lists.get(key))?.push({ rule, layer: layer.name });
        }
      }
    }
  };

  for (const layer of layers) {
    for (const source of sources) {
      if (source.layer !== layer.name || source.text === undefined) continue;
      const content = readLayer(source.text, { layer, notes, whyUnreadable });
      if (content === undefined) continue;
      providerHosts.push(...content.providerHosts);
      takeValues(content, layer);
      const accepted = source.acceptedRules ?? [];
      takeLists(content, layer, accepted);
      if (content.written.size > 0) ruleSources.push({ layer: layer.name, accepted, ...writtenRules(content, held) });
      held.push(...content.locks.map((key) => ({ key, by: layer.name })));
    }
  }
  for (const [name, value] of Object.entries(environment)) setValue(`env.${name}`, value, ENVIRONMENT_ORIGIN);
  const rulesOf = (list: RuleList): readonly LayeredRule[] => lists.get(`permissions.${list}`) ?? [];
  const rules = { deny: rulesOf('deny'), ask: rulesOf('ask'), allow: rulesOf('allow') };
  const additions = Object.fromEntries(ADDITIONS.map((key) => [key, lists.get(key) ?? []]));
  return { ...notes, effective: nest(values, lists), rules, additions, ruleSources, proposals, origins, providerHosts };
}

/** Lists of names and places, to which every layer adds. */
const ADDITIONS: readonly ListKey[] = ['permissions.additionalDirectories', 'run.scrubEnv'];

const NO_PROFILE = 'It names credentials of the machine, which only the operator may.';

/** Lists whose entries give something, which a lock holds down. */
const GRANTS: readonly ListKey[] = ['permissions.allow', 'permissions.additionalDirectories'];

/** Whether a limit is wider than what an earlier layer set: what takes away holds from every layer. */
function isLooser(key: string, value: JsonValue, held: JsonValue | undefined): boolean {
  return key.startsWith('limits.') && typeof value === 'number' && typeof held === 'number' && value > held;
}

function writtenRules(
  { written }: LayerContent,
  held: readonly Held[],
): Partial<Record<RuleList, readonly JsonValue[]>> {
  const kept = [...written].filter(([list]) => list !== 'allow' || lockOn('permissions.allow', held) === undefined);
  return Object.fromEntries(kept);
}

/** The lock on a key or on the block around it. */
function lockOn(key: string, held: readonly Held[]): Held | undefined {
  return held.find((lock) => key === lock.key || key.startsWith(`${lock.key}.`));
}

function lockedKey(layer: SettingsLayer, key: string, lock: Held) {
  return { layer: layer.name, key, why: 'locked', text: `The ${lock.by} settings lock ${lock.key}.` } as const;
}

/** Dotted keys back to the shape they are written in. Only the first dot divides: a name under `env` or `provider` may hold more. */
function nest(values: ReadonlyMap<string, JsonValue>, lists: ReadonlyMap<ListKey, readonly LayeredRule[]>): JsonObject {
  const whole = new Map<string, JsonValue | Map<string, JsonValue>>();
  const put = (key: string, value: JsonValue): void => {
    const dot = key.indexOf('.');
    if (dot < 0) return void whole.set(key, value);
    const block = whole.get(key.slice(0, dot));
    const members = block instanceof Map ? block : new Map<string, JsonValue>();
    members.set(key.slice(dot + 1), value);
    whole.set(key.slice(0, dot), members);
  };
  for (const [key, value] of values) put(key, value);
  for (const [key, entries] of lists)
    if (entries.length > 0)
      put(
        key,
        entries.map(({ rule }) => rule),
      );
  return Object.fromEntries(
    [...whole].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]),
  );
}
