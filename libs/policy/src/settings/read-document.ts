/** What a layer's object says, key by key. Guarantees that each key stands alone: one that is unknown or of no use takes nothing with it. */
import type { JsonObject, JsonValue } from '../json.ts';
import { RULE_LISTS, type RuleList } from '../rules/rule.ts';
import type { SettingsLayer } from './settings-layer.ts';
import type { SettingsNotes } from './settings-note.ts';
import { BLOCKS, HOSTS_KEY, INERT_KEY, isJsonObject, LIST_KEYS, type ListKey, SINGLE_VALUES } from './settings-keys.ts';

export interface LayerContent {
  /** Single values by dotted key; a name under `env` or `provider` is one key. */
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly lists: ReadonlyMap<ListKey, readonly string[]>;
  /** The rule lists as they were written, unreadable entries and all. */
  readonly written: ReadonlyMap<RuleList, readonly JsonValue[]>;
  /** Keys held down for the layers after this one. */
  readonly locks: readonly string[];
  /** Hosts besides the public ones that a tenant's provider may name. */
  readonly providerHosts: readonly string[];
}

export interface LayerReader {
  readonly layer: SettingsLayer;
  readonly notes: SettingsNotes;
  readonly whyUnreadable: (rule: JsonValue, layer: string) => string | undefined;
}

interface Content extends LayerContent {
  readonly values: Map<string, JsonValue>;
  readonly lists: Map<ListKey, readonly string[]>;
  readonly written: Map<RuleList, readonly JsonValue[]>;
  readonly locks: string[];
  readonly providerHosts: string[];
}

export function readDocument(document: JsonObject, reader: LayerReader): LayerContent {
  const content: Content = { values: new Map(), lists: new Map(), written: new Map(), locks: [], providerHosts: [] };
  const { layer, notes } = reader;
  for (const [key, value] of Object.entries(document)) {
    const forbidden = Object.hasOwn(layer.ignores, key) ? layer.ignores[key] : undefined;
    if (forbidden !== undefined) {
      notes.ignored.push({ layer: layer.name, key, why: 'not-on-this-layer', text: forbidden });
    } else if (key === 'locked' && layer.mayLock) {
      content.locks.push(...readStrings('locked', value, reader));
    } else if (key === HOSTS_KEY && layer.mayLock && layer.providers === 'operator') {
      content.providerHosts.push(...readStrings(HOSTS_KEY, value, reader).map((host) => host.toLowerCase()));
    } else if (key === 'env' || key === 'provider') {
      readNames(key, value, content, reader);
    } else if (BLOCKS.includes(key)) {
      readBlock(key, value, content, reader);
    } else {
      readSingle(key, value, content, reader);
    }
  }
  return content;
}

function readSingle(key: string, value: JsonValue, content: Content, { layer, notes }: LayerReader): void {
  const known = Object.hasOwn(SINGLE_VALUES, key) ? SINGLE_VALUES[key] : undefined;
  if (known === undefined) {
    notes.ignored.push({ layer: layer.name, key, why: 'unknown-key', text: 'No setting has this name.' });
    return;
  }
  const kept = known.read(value);
  if (kept === undefined) notes.useless.push({ layer: layer.name, key, needed: known.needed });
  else content.values.set(key, kept);
}

function readBlock(block: string, value: JsonValue, content: Content, reader: LayerReader): void {
  if (!isJsonObject(value)) return noteUseless(block, 'an object', reader);
  for (const [name, member] of Object.entries(value)) {
    const key = `${block}.${name}`;
    const list = LIST_KEYS.find((listKey) => listKey === key);
    if (key === INERT_KEY) continue;
    if (list === undefined) readSingle(key, member, content, reader);
    else if (list.startsWith('permissions.') && isRuleList(name)) {
      content.lists.set(list, readRules(list, member, reader));
      if (isList(member)) content.written.set(name, member);
    } else content.lists.set(list, readStrings(list, member, reader));
  }
}

/** `env` and `provider`: each name by itself. Anything but a string, or but an object, is skipped and never coerced. */
function readNames(block: 'env' | 'provider', value: JsonValue, content: Content, reader: LayerReader): void {
  if (!isJsonObject(value)) return noteUseless(block, 'an object', reader);
  const { layer, notes } = reader;
  for (const [name, member] of Object.entries(value)) {
    const key = `${block}.${name}`;
    if (block === 'env' ? typeof member === 'string' : isJsonObject(member)) content.values.set(key, member);
    else if (block === 'env') {
      notes.ignored.push({ layer: layer.name, key, why: 'not-a-string', text: 'Write the value as a string.' });
    } else {
      notes.ignored.push({ layer: layer.name, key, why: 'not-an-object', text: 'Write the provider as an object.' });
    }
  }
}

/** Readable rules in their order; each of the others is dropped by itself and named. */
function readRules(list: ListKey, value: JsonValue, reader: LayerReader): readonly string[] {
  const { layer, notes } = reader;
  if (!isList(value)) {
    noteUseless(list, 'a list of rules', reader);
    return [];
  }
  return value.flatMap((rule) => {
    const why = reader.whyUnreadable(rule, layer.name);
    if (typeof rule === 'string' && why === undefined) return [rule];
    notes.problems.push({
      layer: layer.name,
      what: 'unreadable-rule',
      item: typeof rule === 'string' ? rule : JSON.stringify(rule),
      text: `A rule of ${list} in the ${layer.name} settings was dropped, the others hold: ${why ?? 'it is no text.'}`,
    });
    return [];
  });
}

function readStrings(key: string, value: JsonValue, reader: LayerReader): readonly string[] {
  if (!isList(value)) {
    noteUseless(key, 'a list of strings', reader);
    return [];
  }
  return value.flatMap((entry, at) => {
    if (typeof entry === 'string' && entry.trim() !== '') return [entry];
    noteUseless(`${key}[${at}]`, 'a string that is not empty', reader);
    return [];
  });
}

function noteUseless(key: string, needed: string, { layer, notes }: LayerReader): void {
  notes.useless.push({ layer: layer.name, key, needed });
}

function isRuleList(name: string): name is RuleList {
  return RULE_LISTS.some((list) => list === name);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
